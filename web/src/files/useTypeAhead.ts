import { type KeyboardEvent, useRef } from "react";
import { useMessages } from "~/messages";
import type { FileCollection } from "./FileCollection";

/** What is typed within this time belongs together. */
const WORD_MS = 1_000;

/**
 * Finds the entry whose name begins with what is typed: behind the current one, then from the top. React Aria's own
 * moves only the focus, so that a key that deletes would take what was selected before.
 */
export function useTypeAhead(collection: FileCollection, current: number, onFind: (path: string) => void) {
  const { formats } = useMessages();
  const typed = useRef({ text: "", at: 0 });
  return (event: KeyboardEvent) => {
    const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const word = typed.current;
    const goesOn = event.timeStamp - word.at < WORD_MS;
    // A blank selects and "?" asks for the keys, unless it is part of a name; "/", which leads to the search, never is.
    const isBegun = goesOn && word.text !== "";
    if (!isCharacter || event.key === "/" || (!isBegun && /[ ?]/.test(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
    typed.current = { text: (goesOn ? word.text : "") + event.key, at: event.timeStamp };
    const { text } = typed.current;
    // The first character goes on to the next that begins with it; further ones may fit the current entry still.
    const first = Math.max(0, current + (text.length === 1 ? 1 : 0));
    for (let step = 0; step < collection.size; step += 1) {
      const entry = collection.entries[(first + step) % collection.size];
      if (entry && formats.collator.compare(entry.name.slice(0, text.length), text) === 0) return onFind(entry.path);
    }
  };
}
