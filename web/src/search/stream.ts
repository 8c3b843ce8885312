import { useEffect, useState } from "react";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { Problem } from "~/api/problem";
import type { Entry } from "~/model/entries";

type SearchEnd = Schemas["SearchEnd"];
type Batch = { entries: Entry[]; end: SearchEnd | null };

/** Lines of JSON, as far as they are whole; what is left is given back. */
export function readLines(text: string): { batch: Batch; rest: string } {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const batch: Batch = { entries: [], end: null };
  for (const line of lines) {
    if (line.trim() === "") continue;
    const read = JSON.parse(line) as Entry | SearchEnd;
    if ("found" in read) batch.end = read;
    else batch.entries.push(read);
  }
  return { batch, rest };
}

/** Yields the results below a folder, or everywhere, as they arrive. Throws a Problem if the server breaks off. */
export async function* search(q: string, path: string, signal: AbortSignal): AsyncGenerator<Batch> {
  const query = { q, ...(path !== "" && { path }) };
  const body = await answerOf(v2.GET("/api/v2/search", { params: { query }, parseAs: "stream", signal }));
  const reader = (body as unknown as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  let hasEnd = false;
  for (;;) {
    const { done, value } = await reader.read();
    const read = readLines(rest + (done ? "\n" : value));
    rest = read.rest;
    if (read.batch.entries.length > 0 || read.batch.end) yield read.batch;
    hasEnd ||= read.batch.end !== null;
    if (done && !hasEnd) throw Problem.offline("the search broke off");
    if (done) return;
  }
}

export type Found = {
  entries: readonly Entry[];
  isRunning: boolean;
  end: SearchEnd | null;
  error: unknown;
};

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
