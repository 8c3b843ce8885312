import { en } from "./en";
import type { Messages } from "./types";
export const zhHans: Messages = en;
