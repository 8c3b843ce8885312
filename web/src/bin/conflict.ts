import type { Task } from "~/tasks";

export type OnConflict = "replace" | "skip" | "keepBoth";

/** True of a restoring that did nothing, since a name was taken where something was. A task has no code for that. */
export function endedByTakenName({ state, error }: Pick<Task, "state" | "error">): boolean {
  return state === "failed" && error !== null && /^The name ".*" is taken/s.test(error);
}
