// What other parts use of this one.
export { contentAddress, previewName, thumbnailAddress } from "./address";
export { previewKind } from "./kind";
export { PreviewFailed } from "./PreviewFailed";
export { PreviewLayer } from "./PreviewLayer";
export { PreviewSkeleton } from "./PreviewSkeleton";
export { encode, type TextFile } from "./text-file";
export { fetchText, textQuery } from "./text-query";
