// What other parts use of this one.
export { type Link, linksQuery } from "./query";
