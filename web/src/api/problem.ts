/** The words of `application/problem+json`, and those of our own: for what is no server behind a location but this one,
 * and for what never reached it. */
const CODES = [
  "malformed",
  "unauthenticated",
  "forbidden",
  "not_found",
  "name_taken",
  "precondition_failed",
  "over_quota",
  "unavailable",
  "timed_out",
  "rate_limited",
  "failed",
  "no_thumbnail",
  "unready",
  "offline",
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

/** The same for a code that the server named beside a reason; null for one that is not known here. */
export function sentenceKeyOf(code: string | null): SentenceKey | null {
  const known = CODES.find((one) => one === code);
  return known ? `problem.${known}` : null;
}

export function hasCode(error: unknown, code: ProblemCode): boolean {
  return error instanceof Problem && error.code === code;
}

/** True if the server's English sentence says more than the code's text. */
export function isPlain(error: unknown): error is Problem {
  return hasCode(error, "malformed") || hasCode(error, "rate_limited");
}
