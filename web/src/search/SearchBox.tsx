import { Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { SearchField } from "react-aria-components/SearchField";
import { useMessages } from "~/messages";
import styles from "./SearchBox.module.css";
import { setFilter, useFilter } from "./useSearchText";

/** The key "down" leads from the search box to the page's list. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  const list = document.querySelector<HTMLElement>('main [role="grid"]');
  if (!list) return;
  event.preventDefault();
  list.focus();
}

/** The search box; its text filters the shown page. */
export function SearchBox() {
  const { t } = useMessages();
  const filter = useFilter();
  return (
    <SearchField className={styles.box ?? ""} aria-label={t("shell.search")} value={filter} onChange={setFilter}>
      <Search size={16} aria-hidden />
      <Input
        className={styles.input ?? ""}
        placeholder={t("shell.search")}
        data-shortcut="search"
        onKeyDown={onKeyDown}
      />
      {filter !== "" && (
        <Button className={styles.clear ?? ""} aria-label={t("shell.clearSearch")}>
          <X size={16} aria-hidden />
        </Button>
      )}
    </SearchField>
  );
}
