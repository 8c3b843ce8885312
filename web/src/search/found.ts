import { useEffect, useState } from "react";
import { laterModule } from "~/controls/later";
import type { Entry } from "~/model/entries";
import type { SearchEnd } from "./stream";

export type Found = {
  entries: readonly Entry[];
  isRunning: boolean;
  end: SearchEnd | null;
  error: unknown;
};

const loadSearch = laterModule(() => import("./stream"));

const NOTHING: Found = { entries: [], isRunning: false, end: null, error: null };
/** Somebody who types on is not searched for at each letter. */
const PAUSE_MS = 100;
/** The server takes no longer text. */
const MOST_BYTES = 255;

/** Searches while one types, below a folder; what is found shows as it comes. */
export function useFound(text: string, path: string): Found {
  const q = text.trim();
  const [found, setFound] = useState<Found>(NOTHING);
  useEffect(() => {
    if (q === "" || new TextEncoder().encode(q).length > MOST_BYTES) return setFound(NOTHING);
    const abort = new AbortController();
    setFound({ ...NOTHING, isRunning: true });
    const run = async () => {
      try {
        const { search } = await loadSearch();
        for await (const { entries, end } of search(q, path, abort.signal)) {
          if (abort.signal.aborted) return;
          setFound((old) => ({ ...old, entries: [...old.entries, ...entries], end: end ?? old.end }));
        }
        if (!abort.signal.aborted) setFound((old) => ({ ...old, isRunning: false }));
      } catch (error) {
        if (!abort.signal.aborted) setFound((old) => ({ ...old, isRunning: false, error }));
      }
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q, path]);
  return found;
}
