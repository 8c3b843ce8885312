// What other parts use of this one.
export { ConflictQuestions } from "./ConflictQuestions";
export { entriesByName, itemOf } from "./listing";
export { askForParts, type Part } from "./parts";
export { askAboutTaken, type Choice, type Conflict } from "./questions";
