import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, fetchAll, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import type { Language } from "~/messages";
import { settingMeanings } from "./setting-meanings";

export type ManagedAccount = Schemas["ManagedAccount"];
export type Share = Schemas["Share"];
export type ManagedConnector = Schemas["ManagedConnector"];
export type ManagedSession = Schemas["ManagedSession"];
export type Setting = Schemas["Setting"];
export type FolderChoice = Schemas["FolderChoice"];

export function useAccounts(): CursorList<ManagedAccount> {
  return useCursorList<ManagedAccount>(keys.accountPages, (query, signal) =>
    answerOf(v2.GET("/api/v2/admin/accounts", { params: { query }, signal })),
  );
}

/** The most that come at once. */
const MANY = 200;

export const allAccountsQuery = queryOptions({
  queryKey: keys.accountNames,
  queryFn: ({ signal }) =>
    fetchAll<ManagedAccount>(
      (query) => answerOf(v2.GET("/api/v2/admin/accounts", { params: { query: { limit: MANY, ...query } }, signal })),
      signal,
    ),
});

export function useShares(): CursorList<Share> {
  return useCursorList<Share>(keys.shares, (query, signal) =>
    answerOf(v2.GET("/api/v2/admin/shares", { params: { query }, signal })),
  );
}

/** The folders in a folder of the server; null for those that the setting share_roots names. */
export function serverFoldersQuery(path: string | null) {
  return queryOptions({
    queryKey: keys.serverFolders(path),
    queryFn: ({ signal }) =>
      fetchAll<FolderChoice>(
        (query) =>
          answerOf(
            v2.GET("/api/v2/admin/folders", {
              params: { query: { limit: MANY, ...(path !== null && { path }), ...query } },
              signal,
            }),
          ),
        signal,
      ),
  });
}

/** Of one account, or of all where none is named. */
export function useAllConnectors(account: string): CursorList<ManagedConnector> {
  return useCursorList<ManagedConnector>(keys.allConnectors(account), (page, signal) => {
    const query = { ...(account !== "" && { account }), ...page };
    return answerOf(v2.GET("/api/v2/admin/connectors", { params: { query }, signal }));
  });
}

export function useAllSessions(account: string): CursorList<ManagedSession> {
  return useCursorList<ManagedSession>(keys.allSessions(account), (page, signal) => {
    const query = { ...(account !== "" && { account }), ...page };
    return answerOf(v2.GET("/api/v2/admin/sessions", { params: { query }, signal }));
  });
}

/** The settings in force, with what they are for in a language. */
export function settingsQuery(language: Language) {
  return queryOptions({
    queryKey: keys.settings(language),
    queryFn: async (): Promise<Setting[]> => {
      const [settings, meanings] = await Promise.all([
        answerOf(v2.GET("/api/v2/admin/settings")),
        settingMeanings(language),
      ]);
      return settings.map((one) => ({ ...one, help: meanings[one.key] ?? one.help }));
    },
  });
}
