// What other features use of this one.
export { refreshFolder } from "./cache";
export type { Entry, FolderPage } from "./entries";
export { FileIcon } from "./FileIcon";
export { ancestors, childPath, isWithin, nameOf, nameProblem, parentPath, stemLength } from "./path";
