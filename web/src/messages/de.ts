import { en } from "./en";
import type { Messages } from "./types";
export const de: Messages = en;
