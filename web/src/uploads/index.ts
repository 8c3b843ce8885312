// What other parts use of this one.
export { chosenByInput } from "./chosen";
export { UploadControls } from "./UploadControls";
export { UploadHost } from "./UploadHost";
export { useBeginUpload } from "./useBeginUpload";
export { type UploadView, uploadCommands, useUploads } from "./view";
