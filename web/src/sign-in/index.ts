// What other features use of this one.
export { FormCard, FormProblem } from "./FormCard";
