// What other parts use of this one; it brings CodeMirror, so that it is imported by what is loaded when it is opened.
export { CodeView } from "./CodeView";
