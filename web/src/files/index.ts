// What other features use of this one.
export { refreshFolder } from "./cache";
export type { Entry, FolderPage } from "./entries";
export { FolderTree, type Forbids } from "./FolderTree";
export { childPath, isWithin, nameOf, nameProblem, parentPath, stemLength } from "./path";
