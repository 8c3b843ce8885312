import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";

export type BinItem = Schemas["BinItem"];

/** What was deleted, the latest first. */
export function useBin(): CursorList<BinItem> {
  return useCursorList<BinItem>(keys.bin, (query, signal) =>
    answerOf(v2.GET("/api/v2/bin", { params: { query }, signal })),
  );
}
