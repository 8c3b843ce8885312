// What other parts use of this one.
export { PageHead } from "./PageHead";
export { Section } from "./Section";
