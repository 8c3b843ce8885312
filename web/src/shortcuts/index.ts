// What other parts use of this one.
export { hasPageKeys } from "./page-keys";
export { Shortcuts } from "./Shortcuts";
export { showShortcuts } from "./store";
