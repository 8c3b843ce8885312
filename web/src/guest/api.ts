import { queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { answerOf, type Schemas } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import type { paths } from "~/api/v2";
import { useMessages } from "~/messages";
import { at, SERVER } from "~/platform/base";

export type GuestLink = Schemas["GuestLink"];
export type Entry = Schemas["FileEntry"];

/** For guests: without the session of somebody who is signed in, and a refused password does not end one. */
export const guestApi = createClient<paths>({ baseUrl: SERVER });

function address(token: string, call: string, query: Record<string, string>): string {
  return at(`/api/v2/guest/${encodeURIComponent(token)}/${call}?${new URLSearchParams(query)}`);
}

export function contentAddress(token: string, path: string): string {
  return address(token, "content", { path });
}

/** Everything below a folder as one archive. */
export function archiveAddress(token: string, path: string, name: string): string {
  return address(token, "archive", { path, name });
}

/** Lets the browser save what an address answers. */
export function save(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

const PAGE = 500;
/** So often a link with a limit is looked at. */
const LOOK_MS = 3_000;

export function guestLinkQuery(token: string) {
  return queryOptions({
    queryKey: keys.guest(token),
    queryFn: (): Promise<GuestLink> => answerOf(guestApi.GET("/api/v2/guest/{token}", { params: { path: { token } } })),
    // Downloads of others use it up too.
    refetchInterval: ({ state }) => (state.data?.downloadsLeft ? LOOK_MS : false),
  });
}

export function useGuestFolder(token: string, path: string): CursorList<Entry> {
  const { language } = useMessages();
  return useCursorList<Entry>(keys.guestFolder(token, path, { language }), (query, signal) =>
    answerOf(
      guestApi.GET("/api/v2/guest/{token}/files", {
        params: { path: { token }, query: { path, language, limit: PAGE, ...query } },
        signal,
      }),
    ),
  );
}
