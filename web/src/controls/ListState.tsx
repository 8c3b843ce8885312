import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CursorList } from "~/api/cursor-list";
import { sentenceKey } from "~/api/problem";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";
import styles from "./ListState.module.css";

type Props = {
  list: Omit<CursorList<unknown>, "items"> & { items: readonly unknown[] };
  /** The placeholder of an empty list. */
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

const WIDTHS = [46, 31, 52, 38, 27, 43];

/** Rows to come; those of settings have two lines. */
export function RowsSkeleton({ lines = 1 }: { lines?: 1 | 2 }) {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("list.loading")} data-lines={lines}>
      {WIDTHS.slice(0, 6 / lines).map((share) => (
        <div key={share} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${share}%` }} />
          {lines === 2 && <span className={styles.bar} style={{ inlineSize: `${share * 1.4}%` }} />}
        </div>
      ))}
    </div>
  );
}
