import { useRouter } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "react-aria-components/Button";
import type { FolderOrder, Sort } from "~/api/keys";
import { useMessages } from "~/messages";
import styles from "./FileGrid.module.css";
import type { Column } from "./view";

/** The server has no order by the others. */
const SORTED: readonly string[] = ["name", "modified", "size"] satisfies Sort[];

type Props = FolderOrder & { columns: readonly Column[] };

/** What the list is sorted by. It stands outside the grid, whose keys are those of its rows. */
export function GridHead({ sort, order, columns }: Props) {
  const { t } = useMessages();
  const router = useRouter();
  const sortBy = (column: Sort) => {
    const next = column === sort && order === "asc" ? "desc" : "asc";
    void router.navigate({ to: ".", search: (old) => ({ ...old, sort: column, order: next }), replace: true });
  };
  const Arrow = order === "asc" ? ArrowUp : ArrowDown;
  const all = ["name", ...columns] as const;
  return (
    <div className={styles.head}>
      {all.map((column) =>
        SORTED.includes(column) ? (
          <Button
            key={column}
            className={styles.sort ?? ""}
            aria-label={t("files.sortBy", { column: t(`files.${column}`) })}
            aria-pressed={column === sort}
            data-column={column}
            data-chosen={column === sort || undefined}
            onPress={() => sortBy(column as Sort)}
          >
            {t(`files.${column}`)}
            {column === sort && <Arrow size={14} aria-hidden />}
          </Button>
        ) : (
          <span key={column} className={styles.column}>
            {t(`files.${column}`)}
          </span>
        ),
      )}
    </div>
  );
}
