import { joined, type Translate } from "~/messages";

/** The words of `application/problem+json`, and those of our own: for what is no server behind a location but this one,
 * for what never reached it, and for parts of the interface that it no longer has. */
const CODES = [
  "malformed",
  "unauthenticated",
  "forbidden",
  "not_found",
  "name_taken",
  "precondition_failed",
  "locked",
  "over_quota",
  "unavailable",
  "timed_out",
  "rate_limited",
  "failed",
  "no_thumbnail",
  "unconfirmed",
  "unready",
  "offline",
  "renewed",
] as const;
export type ProblemCode = (typeof CODES)[number];

export type ProblemBody = { code?: string; detail?: string; error?: string };

/** The error of a request. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  /** When to come again, if the server said so. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ProblemCode, detail: string, status = 0, retryAfterSeconds: number | null = null) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  static of(response: Response, body: ProblemBody | undefined): Problem {
    const word = body?.code === "unavailable" && response.status === 503 ? "unready" : body?.code;
    const code = CODES.find((known) => known === word) ?? "failed";
    const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
    return new Problem(
      code,
      body?.detail ?? body?.error ?? response.statusText,
      response.status,
      Number.isFinite(retryAfter) ? retryAfter : null,
    );
  }

  static offline(cause: unknown): Problem {
    return new Problem("offline", String(cause));
  }
}

export type SentenceKey = `problem.${ProblemCode}`;

/** The sentence that says what to do, as a message's key. */
export function sentenceKey(error: unknown): SentenceKey {
  return `problem.${error instanceof Problem ? error.code : "failed"}`;
}

/** Who decides what may be done in the folder that is open, if another account shares it. */
let decider: string | null = null;

export function setDecider(name: string | null): void {
  decider = name;
}

function codeSentence(t: Translate, code: ProblemCode): string {
  if (code === "forbidden" && decider !== null) return t("problem.forbiddenBy", { name: decider });
  return t(`problem.${code}`);
}

/** The sentence that says what to do, in the folder that is open. */
export function sentenceOf(t: Translate, error: unknown): string {
  return codeSentence(t, error instanceof Problem ? error.code : "failed");
}

export function hasCode(error: unknown, code: ProblemCode): boolean {
  return error instanceof Problem && error.code === code;
}

/** A sentence in the person's language, and the server's English one, which says more; in English that stands alone. */
export function toldText(t: Translate, sentence: string, message: string): string {
  return t.language === "en" ? message : joined([sentence, message]);
}

/** The codes with which the server's sentence says more than that of the code. */
const EXACT: readonly ProblemCode[] = ["malformed", "rate_limited", "locked"];

/** Why a request was refused, in the person's language. With the codes of `exact` the server's sentence says more. */
export function problemText(t: Translate, error: unknown, exact: readonly ProblemCode[] = EXACT): string {
  const isExact = error instanceof Problem && exact.includes(error.code) && error.message !== "";
  const sentence = sentenceOf(t, error);
  return isExact ? toldText(t, sentence, error.message) : sentence;
}

/** The words of the API for what is refused within a task, where the code alone says too little. */
const REASONS = [
  "into_itself",
  "not_a_folder",
  "is_link",
  "special_file",
  "name_not_allowed",
  "archive_encrypted",
  "archive_damaged",
  "archive_too_large",
  "too_deep",
  "created_since",
  "disk_full",
] as const;

/** Why a task or an item of it was refused, as the server tells it: `message` is in English. */
export type Refusal = { code: string | null; reasonCode: string | null; message: string | null };

/** The same in the person's language; in English the server's own words stand, which are more exact. */
export function refusalText(t: Translate, { code, reasonCode, message }: Refusal): string {
  if (t.language === "en" && message !== null) return message;
  const reason = REASONS.find((known) => known === reasonCode);
  if (reason) return t(`reason.${reason}`);
  const known = CODES.find((one) => one === code) ?? "failed";
  const sentence = codeSentence(t, known);
  const isVague = known === "failed" || EXACT.includes(known);
  return isVague && message !== null ? toldText(t, sentence, message) : sentence;
}
