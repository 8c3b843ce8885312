import { Problem, sentenceKey } from "~/api/problem";
import type { Translate } from "~/messages";

/** Why a connector does not work, for people: which server said no, and how, the API tells in an English sentence. */
export function reasonOf(error: unknown, t: Translate): string {
  const isTold =
    error instanceof Problem && ["malformed", "unavailable", "timed_out", "forbidden"].includes(error.code);
  return isTold ? error.message : t(sentenceKey(error));
}
