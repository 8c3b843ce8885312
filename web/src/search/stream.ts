import { answerOf, type Schemas, v2 } from "~/api/client";
import { Problem } from "~/api/problem";
import type { Entry } from "~/model/entries";

export type SearchEnd = Schemas["SearchEnd"];
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
