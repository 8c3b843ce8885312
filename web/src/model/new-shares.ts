import { Store } from "~/platform/store";

/** How many shares of others the person has not seen yet, and that in words. */
export type News = { count: number; text: string };

export const newShares = new Store<News | null>(null);
