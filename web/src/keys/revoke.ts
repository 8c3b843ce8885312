import { answerOf, v2 } from "~/api/client";
import { hasCode } from "~/api/problem";
import { isNothing, type Made, madeWith } from "./made-with";

/** Whoever was faster: it is as it should be. */
async function ended(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
  }
}

export function revokeKey(id: string): Promise<void> {
  return ended(answerOf(v2.DELETE("/api/v2/keys/{id}", { params: { path: { id } } })));
}

function endLink(id: string): Promise<void> {
  return ended(answerOf(v2.DELETE("/api/v2/links/{id}", { params: { path: { id } } })));
}

/**
 * Ends what was made with a key that is revoked already, so that nothing is added to it meanwhile; and so on with the keys
 * among that. `lookAll` asks the server anew.
 */
export async function endMadeWith(id: string, lookAll: () => Promise<Made>): Promise<void> {
  const revoked = new Set([id]);
  for (;;) {
    const made = madeWith(revoked, await lookAll());
    if (isNothing(made)) return;
    await Promise.all([...made.keys.map((key) => revokeKey(key.id)), ...made.links.map((link) => endLink(link.id))]);
    for (const key of made.keys) revoked.add(key.id);
  }
}
