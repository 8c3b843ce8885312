// What other parts use of this one.
export { FolderTree, type Forbids } from "./FolderTree";
