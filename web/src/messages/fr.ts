import { en } from "./en";
import type { Messages } from "./types";
export const fr: Messages = en;
