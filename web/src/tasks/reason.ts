import { type SentenceKey, sentenceKeyOf } from "~/api/problem";
import type { Language } from "~/messages";

/** These sentences say less than the server's own words, even to those who read them in another language. */
const TOO_VAGUE: ReadonlySet<SentenceKey> = new Set(["problem.malformed", "problem.failed"]);

/**
 * The sentence to show in the place of the server's own words, which are English: null where those are better.
 */
export function translatedReason(language: Language, code: string | null): SentenceKey | null {
  const key = language === "en" ? null : sentenceKeyOf(code);
  return key && !TOO_VAGUE.has(key) ? key : null;
}
