import { en } from "./en";
import type { Messages } from "./types";
export const ar: Messages = en;
