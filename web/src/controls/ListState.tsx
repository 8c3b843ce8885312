import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CursorList } from "~/api/cursor-list";
import { sentenceKey } from "~/api/problem";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";
import styles from "./ListState.module.css";
import { RowsSkeleton } from "./RowsSkeleton";

type Props = {
  list: Omit<CursorList<unknown>, "items"> & { items: readonly unknown[] };
  /** What stands there where nothing is in the list. */
  empty: ReactNode;
  children: ReactNode;
};

/** A list, or what stands in its place; behind it a button for what follows. */
export function ListState({ list, empty, children }: Props) {
  const { t } = useMessages();
  if (list.isPending) return <RowsSkeleton />;
  if (list.error && list.items.length === 0) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(list.error))}>
        <Button onPress={list.reload}>{t("app.retry")}</Button>
      </EmptyState>
    );
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      {children}
      {list.hasMore && (
        <div className={styles.more}>
          <Button onPress={list.loadMore} isDisabled={list.isLoadingMore}>
            {t("list.more")}
          </Button>
        </div>
      )}
    </>
  );
}
