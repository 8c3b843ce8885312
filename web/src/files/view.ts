import { useMemo } from "react";
import { usePreference } from "~/api/preferences";
import { sentenceKey } from "~/api/problem";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";

export const COLUMNS = ["modified", "size", "kind", "created"] as const;
export type Column = (typeof COLUMNS)[number];
type Layout = "list" | "grid";
/** How folders look; each account has its own way. */
export type View = { layout: Layout; columns: readonly Column[]; details: boolean };

/** Reads a stored view, which may come from another version or another client. */
export function viewOf(stored: unknown): View {
  const { layout, columns, details } = (typeof stored === "object" && stored !== null ? stored : {}) as {
    [K in keyof View]?: unknown;
  };
  return {
    layout: layout === "grid" ? "grid" : "list",
    columns: Array.isArray(columns) ? COLUMNS.filter((one) => columns.includes(one)) : ["modified", "size"],
    details: details === true,
  };
}

export function useView(): [view: View, change: (change: Partial<View>) => void] {
  const { t } = useMessages();
  const [stored, store] = usePreference("files");
  const view = useMemo(() => viewOf(stored), [stored]);
  const change = (changed: Partial<View>) => {
    store({ ...view, ...changed }).catch((error: unknown) => {
      showToast({ text: t("view.notStored", { reason: t(sentenceKey(error)) }), tone: "danger" });
    });
  };
  return [view, change];
}
