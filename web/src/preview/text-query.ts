import { queryOptions } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { decode, type TextFile } from "./text-file";

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
    // What somebody reads does not change below their eyes.
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
}
