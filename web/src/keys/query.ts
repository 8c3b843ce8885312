import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";

export type ApiKey = Schemas["ApiKey"];
export type CreatedKey = Schemas["CreatedApiKey"];

/** The account's keys, by the time at which they were made. */
export const apiKeysQuery = queryOptions({
  queryKey: keys.apiKeys,
  queryFn: () => answerOf(v2.GET("/api/v2/keys")),
});
