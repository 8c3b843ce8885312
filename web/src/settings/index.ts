// What other parts use of this one.
export { ListSkeleton } from "./ListSkeleton";
export { PageHead } from "./PageHead";
export { Section } from "./Section";
