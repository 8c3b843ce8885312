import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";

export type Task = Schemas["Task"];

const UNDER_WAY_MS = 1_000;
const QUIET_MS = 15_000;

export function isUnderWay({ state }: Task): boolean {
  return state === "waiting" || state === "running";
}

/** The account's tasks, the latest first; looked at more often while one is under way. */
export const tasksQuery = queryOptions({
  queryKey: keys.tasks,
  queryFn: () => answerOf(v2.GET("/api/v2/tasks")),
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? UNDER_WAY_MS : QUIET_MS),
});
