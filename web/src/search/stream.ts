import { answerOf, type Schemas, v2 } from "~/api/client";

type Found = Schemas["FileEntry"];
export type SearchEnd = Schemas["SearchEnd"];
export type Batch = { entries: Found[]; end: SearchEnd | null };

/** Lines of JSON, as far as they are whole; what is left is given back. */
export function readLines(text: string): { batch: Batch; rest: string } {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const batch: Batch = { entries: [], end: null };
  for (const line of lines) {
    if (line.trim() === "") continue;
    const read = JSON.parse(line) as Found | SearchEnd;
    if ("found" in read) batch.end = read;
    else batch.entries.push(read);
  }
  return { batch, rest };
}

/** What is found below a folder, or everywhere, as it comes. It ends without an `end` where the server broke off. */
export async function* search(q: string, path: string, signal: AbortSignal): AsyncGenerator<Batch> {
  const query = { q, ...(path !== "" && { path }) };
  const body = await answerOf(v2.GET("/api/v2/search", { params: { query }, parseAs: "stream", signal }));
  const reader = (body as unknown as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const read = readLines(rest + (done ? "\n" : value));
    rest = read.rest;
    if (read.batch.entries.length > 0 || read.batch.end) yield read.batch;
    if (done) return;
  }
}
