import { queryOptions } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";

/** A file's text, and what is needed to write it back as it was but for the changes. */
export type TextFile = {
  text: string;
  /** False where it is not UTF-8: what is shown then is a guess, and is not written back. */
  isText: boolean;
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

function utf8(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): string | null {
  try {
    // A shortened text may end within a character.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

export function decode(content: ArrayBuffer, etag: string | null, isWhole: boolean): TextFile {
  const bytes = new Uint8Array(content);
  const decoded = bytes.includes(0) ? null : utf8(bytes, isWhole);
  const all = decoded ?? new TextDecoder("windows-1252").decode(bytes);
  const hasMark = all.startsWith(MARK);
  const text = hasMark ? all.slice(1) : all;
  return { text, isText: decoded !== null, isWhole, hasMark, lineBreak: lineBreakOf(text), etag };
}

/** True if it holds what no text does, so that showing it as text helps nobody. */
export function isBinary({ text, isText }: TextFile): boolean {
  return !isText && text.includes("\0");
}

/** The content to store for the editor's text, which has the file's own line breaks. */
export function encode(text: string, { hasMark }: TextFile): string {
  return hasMark ? MARK + text : text;
}

/** So much of a text is shown, and can be edited. */
export const MOST_TEXT_BYTES = 2 * 1024 * 1024;

const RANGE_NOT_SATISFIABLE = 416;

/** A file's text as it is now, with what says which state of the file it is. */
export async function fetchText(path: string, signal?: AbortSignal): Promise<TextFile> {
  let response: Response | null = null;
  const bytes = await answerOf(
    v2
      .GET("/api/v2/files/content", {
        params: { query: { path, disposition: "inline" } },
        parseAs: "arrayBuffer",
        headers: { Range: `bytes=0-${MOST_TEXT_BYTES - 1}` },
        cache: "no-store",
        ...(signal && { signal }),
      })
      .then((outcome) => {
        response = outcome.response;
        // An empty file has no first byte.
        if (response.status !== RANGE_NOT_SATISFIABLE) return outcome;
        return { data: new ArrayBuffer(0), response: new Response(null, { status: 200 }) };
      }),
  );
  const answer = response as Response | null;
  const total = Number(/\/(\d+)$/.exec(answer?.headers.get("Content-Range") ?? "")?.[1] ?? Number.NaN);
  const isWhole = Number.isNaN(total) || total <= MOST_TEXT_BYTES;
  return decode(bytes as unknown as ArrayBuffer, answer?.headers.get("ETag") ?? null, isWhole);
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
