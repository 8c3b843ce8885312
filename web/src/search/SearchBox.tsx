import { Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { SearchField } from "react-aria-components/SearchField";
import { useMessages } from "~/messages";
import { setFilter, useFilter } from "./filter";
import styles from "./SearchBox.module.css";

/** What is typed and then left downwards goes on in the list of the page. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  const list = document.querySelector<HTMLElement>('main [role="grid"]');
  if (!list) return;
  event.preventDefault();
  list.focus();
}

/** What is typed filters the page that is shown. */
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
