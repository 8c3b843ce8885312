// What other parts use of this one.
export { useFilter } from "./filter";
export { SearchBox } from "./SearchBox";
