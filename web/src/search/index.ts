// What other parts use of this one.
export { useFilter } from "./filter";
export { SearchBox } from "./SearchBox";
export { type Found, useFound } from "./useFound";
export { useSearchText } from "./useSearchText";
