import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { refusalText } from "~/api/problem";
import { areFew, selectionOf } from "~/api/selection";
import type { paths } from "~/api/v2";
import type { Translate } from "~/messages";

export type Task = Schemas["Task"];

const UNDER_WAY_MS = 1_000;
const QUIET_MS = 15_000;

export function isUnderWay({ state }: Task): boolean {
  return state === "waiting" || state === "running";
}

/** Why a task has failed. */
export function failureText(t: Translate, { error, errorCode, errorReason }: Task): string {
  return refusalText(t, { code: errorCode, reasonCode: errorReason, message: error });
}

/** The account's tasks, the latest first; looked at more often while one is under way. */
export const tasksQuery = queryOptions({
  queryKey: keys.tasks,
  queryFn: () => answerOf(v2.GET("/api/v2/tasks")),
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? UNDER_WAY_MS : QUIET_MS),
});

export type WantedTask = NonNullable<paths["/api/v2/tasks"]["post"]["requestBody"]>["content"]["application/json"];

/** So often a task is looked at, growing from the first to the second: most end at once. */
const FIRST_LOOK_MS = 60;
const LAST_LOOK_MS = 1_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function lookAt(id: string): Promise<Task> {
  return answerOf(v2.GET("/api/v2/tasks/{id}", { params: { path: { id } } }));
}

/** Names the items by a selection if they are too many for one request. */
async function fitting(wanted: WantedTask): Promise<WantedTask> {
  const { sources, ...others } = wanted;
  if (!sources || areFew(sources) || wanted.kind === "unpack") return wanted;
  return { ...others, selection: await selectionOf(sources) };
}

/** Begins a task and waits until it has ended, however it did. It goes on when this page is gone. */
export async function runTask(client: QueryClient, wanted: WantedTask): Promise<Task> {
  let task = await answerOf(v2.POST("/api/v2/tasks", { body: await fitting(wanted) }));
  void client.invalidateQueries({ queryKey: keys.tasks });
  for (let wait = FIRST_LOOK_MS; isUnderWay(task); wait = Math.min(wait * 1.5, LAST_LOOK_MS)) {
    await pause(wait);
    task = await lookAt(task.id);
  }
  void client.invalidateQueries({ queryKey: keys.tasks });
  return task;
}

/** Starts an interrupted task again, as a new one that goes on where it was. */
export async function restartTask(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.POST("/api/v2/tasks/{id}/restart", { params: { path: { id } } }));
  await client.invalidateQueries({ queryKey: keys.tasks });
}

/** Stops a task, or forgets one that has ended. */
export async function dropTask(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/tasks/{id}", { params: { path: { id } } }));
  await client.invalidateQueries({ queryKey: keys.tasks });
}
