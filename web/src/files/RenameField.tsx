import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { nameProblem, stemLength } from "~/model/path";
import styles from "./RenameField.module.css";

type Props = {
  entry: Entry;
  grid: RefObject<HTMLElement | null>;
  /** `byKey`: the focus goes back to the list. */
  onDone: (entry: Entry, newName: string | null, byKey: boolean) => void;
};

/**
 * A new name, typed over the old one. It stands above the grid and not in the row, since the grid takes the keys of
 * what is in it.
 */
export function RenameField({ entry, grid, onDone }: Props) {
  const { t } = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(entry.name);
  const isDone = useRef(false);
  const problem = name === entry.name ? null : nameProblem(name);

  useLayoutEffect(() => {
    const field = input.current;
    const row = grid.current?.querySelector(`[data-key="${CSS.escape(entry.path)}"] [data-name] > span`);
    const frame = grid.current?.parentElement;
    if (!field || !row || !frame) return;
    const place = row.getBoundingClientRect();
    const origin = frame.getBoundingClientRect();
    // Over the name, whose text stays where it was, up to the end of its column.
    const [above, edge] = [4, 9];
    const cell = row.parentElement?.getBoundingClientRect() ?? place;
    const isRightToLeft = document.documentElement.dir === "rtl";
    const start = isRightToLeft ? origin.right - place.right : place.left - origin.left;
    const width = isRightToLeft ? place.right - cell.left : cell.right - place.left;
    field.style.insetBlockStart = `${place.top - origin.top - above}px`;
    field.style.insetInlineStart = `${start - edge}px`;
    field.style.inlineSize = `${width + edge}px`;
    field.style.blockSize = `${place.height + 2 * above}px`;
    field.focus();
    field.setSelectionRange(0, stemLength(entry.name, entry.isDirectory));
  }, [entry, grid]);

  const end = (newName: string | null, byKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(entry, newName === entry.name ? null : newName, byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") end(null, true);
    if (event.key === "Enter" && problem === null) end(name, true);
  };
  return (
    <>
      <input
        ref={input}
        className={styles.field}
        aria-label={t("files.newName")}
        aria-invalid={problem !== null}
        aria-errormessage="rename-problem"
        spellCheck={false}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => end(problem === null ? name : null, false)}
      />
      <p id="rename-problem" className={styles.problem} role="alert">
        {problem && t(problem)}
      </p>
    </>
  );
}
