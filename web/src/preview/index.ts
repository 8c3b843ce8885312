// What other parts use of this one.
export { previewName, thumbnailAddress } from "./address";
export { previewKind } from "./kind";
export { PreviewLayer } from "./PreviewLayer";
