// What other parts use of this one: what is dragged or cut, and where it may go.
export { type Clipboard, clearClipboard, putOnClipboard, readClipboard, useIsCut } from "./clipboard";
export { beginDrag, endDrag } from "./drag";
export { useFolderDrop } from "./useFolderDrop";
