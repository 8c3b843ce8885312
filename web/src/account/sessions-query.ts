import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";

export type SessionEntry = Schemas["SessionEntry"];

/** The account's sessions: the one that asks first, then what was used last. */
export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async (): Promise<SessionEntry[]> => {
    const sessions = await answerOf(v2.GET("/api/v2/sessions"));
    return sessions.sort((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt));
  },
});
