import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { textOf } from "~/content/text-file";
import { parentPath } from "~/model/path";
import { at } from "~/platform/base";

/** A content that a file had before another one took its place. */
export type Version = Schemas["Version"];

/** The versions of a file, the one that was replaced last first. They are asked for anew when the folder changes. */
export function versionsQuery(path: string) {
  return queryOptions({
    queryKey: keys.versions(parentPath(path), path),
    queryFn: async ({ signal }): Promise<Version[]> =>
      (await answerOf(v2.GET("/api/v2/versions", { params: { query: { path } }, signal }))).entries,
  });
}

/** The text of a version. */
export function versionTextQuery({ id }: Version) {
  return queryOptions({
    queryKey: keys.versionText(id),
    queryFn: ({ signal }) =>
      textOf((options) =>
        v2.GET("/api/v2/versions/{id}/content", {
          params: { path: { id }, query: { disposition: "inline" } },
          parseAs: "arrayBuffer",
          signal,
          ...options,
        }),
      ),
    gcTime: 0,
    structuralSharing: false,
  });
}

/** The address of a version's content, for elements that fetch it themselves. The server forbids scripts in it. */
export function versionAddress({ id }: Version, disposition: "inline" | "attachment"): string {
  return at(`/api/v2/versions/${id}/content?${new URLSearchParams({ disposition })}`);
}

/** Gives the file that content again; the one it has becomes a version. Throws what the server refused. */
export async function restoreVersion(client: QueryClient, path: string, { id }: Version): Promise<void> {
  try {
    await answerOf(v2.POST("/api/v2/versions/{id}/restore", { params: { path: { id } } }));
  } finally {
    await refresh(client, path);
  }
}

/** Throws what the server refused. */
export async function removeVersion(client: QueryClient, path: string, { id }: Version): Promise<void> {
  try {
    await answerOf(v2.DELETE("/api/v2/versions/{id}", { params: { path: { id } } }));
  } finally {
    await refresh(client, path);
  }
}

async function refresh(client: QueryClient, path: string): Promise<void> {
  const stale = [keys.folder(parentPath(path)), keys.text(path), keys.account];
  await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
}
