import { queryOptions } from "@tanstack/react-query";
import { keys } from "~/api/keys";
import { Problem } from "~/api/problem";
import { at } from "~/platform/base";

/** Whether the server offers WebDAV. */
export const davQuery = queryOptions({
  queryKey: keys.dav,
  queryFn: async () => {
    const answer = await fetch(at("/dav/"), { method: "OPTIONS" });
    // What stands before a server that is not there knows nothing of it.
    if (!answer.ok && answer.status !== 404) throw Problem.of(answer, undefined);
    return answer.headers.has("DAV");
  },
  staleTime: Number.POSITIVE_INFINITY,
});
