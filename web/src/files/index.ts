// What other parts use of this one.
export { refreshFolder } from "./cache";
export type { Entry } from "./entries";
export { childPath, isWithin, nameOf, parentPath } from "./path";
