import { useRouter } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "react-aria-components/Button";
import type { FolderOrder, Sort } from "~/api/keys";
import { useMessages } from "~/messages";
import styles from "./FileGrid.module.css";

const COLUMNS: readonly [Sort, "files.name" | "files.modified" | "files.size"][] = [
  ["name", "files.name"],
  ["modified", "files.modified"],
  ["size", "files.size"],
];

/** What the list is sorted by. It stands outside the grid, whose keys are those of its rows. */
export function GridHead({ sort, order }: FolderOrder) {
  const { t } = useMessages();
  const router = useRouter();
  const sortBy = (column: Sort) => {
    const next = column === sort && order === "asc" ? "desc" : "asc";
    void router.navigate({ to: ".", search: { sort: column, order: next }, replace: true });
  };
  const Arrow = order === "asc" ? ArrowUp : ArrowDown;
  return (
    <div className={styles.head}>
      {COLUMNS.map(([column, text]) => (
        <Button
          key={column}
          className={styles.sort ?? ""}
          aria-label={t("files.sortBy", { column: t(text) })}
          aria-pressed={column === sort}
          data-chosen={column === sort || undefined}
          onPress={() => sortBy(column)}
        >
          {t(text)}
          {column === sort && <Arrow size={14} aria-hidden />}
        </Button>
      ))}
    </div>
  );
}
