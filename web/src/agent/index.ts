export { agentName, isPhone } from "./agent";
