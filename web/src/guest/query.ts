import { queryOptions } from "@tanstack/react-query";
import { answerOf } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { type Entry, type GuestLink, guestApi } from "./api";

const PAGE = 500;

export function guestLinkQuery(token: string) {
  return queryOptions({
    queryKey: keys.guest(token),
    queryFn: (): Promise<GuestLink> => answerOf(guestApi.GET("/api/v2/guest/{token}", { params: { path: { token } } })),
  });
}

export function useGuestFolder(token: string, path: string): CursorList<Entry> {
  return useCursorList<Entry>(keys.guestFolder(token, path), (query, signal) =>
    answerOf(
      guestApi.GET("/api/v2/guest/{token}/files", {
        params: { path: { token }, query: { path, limit: PAGE, ...query } },
        signal,
      }),
    ),
  );
}
