import { Store } from "~/platform/store";

/** How an own item is shared: with people, or by links alone; and that in words. */
export type SharedMark = { isWithPeople: boolean; text: string };

/** By path, as far as it is known. */
export const sharedMarks = new Store<ReadonlyMap<string, SharedMark>>(new Map());
