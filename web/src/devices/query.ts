import { queryOptions } from "@tanstack/react-query";
import { keys } from "~/api/keys";
import { at } from "~/platform/base";

/** Whether the server offers WebDAV. */
export const davQuery = queryOptions({
  queryKey: keys.dav,
  queryFn: async () => (await fetch(at("/dav/"), { method: "OPTIONS" })).headers.has("DAV"),
  staleTime: Number.POSITIVE_INFINITY,
});
