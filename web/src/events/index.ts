// What other parts use of this one.
export { LiveUpdates } from "./LiveUpdates";
