import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { parentPath, refreshFolder } from "~/files";

/** Stores a text if the file is still in the state of `etag`, or if there is none where it is null; gives its new state. */
export async function saveText(
  client: QueryClient,
  path: string,
  text: string,
  etag: string | null,
): Promise<string | null> {
  let stored: Response | null = null;
  await answerOf(
    v2
      .PUT("/api/v2/files/content", {
        params: { query: { path } },
        body: text,
        bodySerializer: (body) => body,
        headers: {
          "Content-Type": "application/octet-stream",
          ...(etag === null ? { "If-None-Match": "*" } : { "If-Match": etag }),
        },
      })
      .then((outcome) => {
        stored = outcome.response;
        return outcome;
      }),
  );
  void refreshFolder(client, parentPath(path));
  return (stored as Response | null)?.headers.get("ETag") ?? null;
}

/** A name for what is kept beside the other: `notes (2).txt`. */
export function nameBeside(path: string, number: number): string {
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > slash ? dot : path.length;
  return `${path.slice(0, end)} (${number})${path.slice(end)}`;
}
