// What other parts use of this one.
export { UploadControls } from "./UploadControls";
export { UploadHost } from "./UploadHost";
export { type UploadView, uploadCommands, useUploads } from "./view";
