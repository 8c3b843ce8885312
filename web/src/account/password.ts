const FEWEST_BYTES = 8;
const MOST_BYTES = 1024;

/** Why a password would be refused, as a message's key; null where the server will take it. */
export function passwordProblem(password: string): "account.passwordShort" | "account.passwordLong" | null {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes < FEWEST_BYTES) return "account.passwordShort";
  return bytes > MOST_BYTES ? "account.passwordLong" : null;
}
