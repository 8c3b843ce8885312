import { queryOptions } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { decodeAs, type Encoding, encodeAs, guessedEncoding, shownEncoding } from "./encodings";

/** A file's text, and what is needed to write it back as it was but for the changes. */
export type TextFile = {
  text: string;
  /** Null for what is no text, so that showing it as text helps nobody. */
  encoding: Encoding | null;
  /** The bytes do not tell the encoding: people choose another where it is wrong. */
  isGuess: boolean;
  /** True if it can be written back to the byte. */
  canWrite: boolean;
  /** False where there is more than is shown. */
  isWhole: boolean;
  hasMark: boolean;
  lineBreak: "\n" | "\r\n";
  etag: string | null;
};

const MARK = "\ufeff";

/** All lines end alike, or a lone carriage return counts as a character, which stays as it is. */
function lineBreakOf(text: string): TextFile["lineBreak"] {
  const breaks = text.match(/\r\n|\r|\n/g) ?? [];
  return breaks.length > 0 && breaks.every((one) => one === "\r\n") ? "\r\n" : "\n";
}

/** `wanted` is what a person chose to read it as, where the bytes do not tell. */
export function decode(content: ArrayBuffer, etag: string | null, isWhole: boolean, wanted?: Encoding): TextFile {
  const bytes = new Uint8Array(content);
  const shown = shownEncoding(bytes, isWhole);
  // What was chosen may be of an earlier content, which another program has replaced since.
  const encoding = shown ?? wanted ?? guessedEncoding(bytes, isWhole, navigator.languages);
  const isGuess = shown === null;
  const file = { isGuess, isWhole, etag };
  if (encoding === "binary") {
    return { ...file, text: "", encoding: null, canWrite: false, hasMark: false, lineBreak: "\n" };
  }
  const exact = decodeAs(encoding, bytes, isWhole);
  const all = exact ?? new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  const hasMark = all.startsWith(MARK);
  return {
    ...file,
    text: hasMark ? all.slice(1) : all,
    encoding,
    canWrite: exact !== null && isWhole && isSame(encodeAs(encoding, all), bytes),
    hasMark,
    lineBreak: lineBreakOf(all),
  };
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** The content to store for the editor's text, which has the file's own line breaks; null where the file's encoding lacks a character. */
export function encode(text: string, { hasMark, encoding }: TextFile): Uint8Array<ArrayBuffer> | null {
  return encodeAs(encoding ?? "utf-8", hasMark ? MARK + text : text);
}

/** The same file, to be stored in UTF-8. */
export function asUtf8(file: TextFile): TextFile {
  return { ...file, encoding: "utf-8", hasMark: false };
}

const chosen = new Map<string, Encoding>();

/** From now on a file of this name is read as that, as long as the page stays. */
export function chooseEncoding(path: string, encoding: Encoding): void {
  chosen.set(path, encoding);
}

/** So much of a text is shown, and can be edited. */
export const MOST_TEXT_BYTES = 2 * 1024 * 1024;

const RANGE_NOT_SATISFIABLE = 416;

type Part = { headers: { Range: string }; cache: "no-store" };
type Outcome = { data?: unknown; error?: unknown; response: Response };

/** The text of what `ask` requests, with what says which state it is of. `wanted` is what a person chose to read it as. */
export async function textOf(ask: (part: Part) => Promise<Outcome>, wanted?: Encoding): Promise<TextFile> {
  let response: Response | null = null;
  const bytes = await answerOf(
    ask({ headers: { Range: `bytes=0-${MOST_TEXT_BYTES - 1}` }, cache: "no-store" }).then((outcome) => {
      response = outcome.response;
      // An empty file has no first byte.
      if (response.status !== RANGE_NOT_SATISFIABLE) return outcome;
      return { data: new ArrayBuffer(0), response: new Response(null, { status: 200 }) };
    }),
  );
  const answer = response as Response | null;
  const total = Number(/\/(\d+)$/.exec(answer?.headers.get("Content-Range") ?? "")?.[1] ?? Number.NaN);
  const isWhole = Number.isNaN(total) || total <= MOST_TEXT_BYTES;
  return decode(bytes as ArrayBuffer, answer?.headers.get("ETag") ?? null, isWhole, wanted);
}

/** A file's text as it is now. */
export function fetchText(path: string, signal?: AbortSignal): Promise<TextFile> {
  const query = { path, disposition: "inline" } as const;
  const ask = (part: Part) =>
    v2.GET("/api/v2/files/content", { params: { query }, parseAs: "arrayBuffer", ...part, ...(signal && { signal }) });
  return textOf(ask, chosen.get(path));
}

export function textQuery(path: string) {
  return queryOptions({
    queryKey: keys.text(path),
    queryFn: ({ signal }) => fetchText(path, signal),
    staleTime: 0,
    gcTime: 0,
    // A text must not change while somebody reads it.
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
}
