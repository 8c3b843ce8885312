import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, fetchAll, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { hasCode } from "~/api/problem";
import type { paths } from "~/api/v2";
import type { Language } from "~/messages";

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

export type Identity = Schemas["Identity"];

const identitiesKey = (name: string) => [...keys.accounts, "identities", name] as const;

/** The persons at the provider that sign in to an account. */
export function identitiesOfQuery(name: string) {
  return queryOptions({
    queryKey: identitiesKey(name),
    queryFn: () => answerOf(v2.GET("/api/v2/admin/accounts/{name}/identities", { params: { path: { name } } })),
  });
}

export async function unlinkIdentity(client: QueryClient, name: string, id: string): Promise<void> {
  const path = { name, id };
  await answerOf(v2.DELETE("/api/v2/admin/accounts/{name}/identities/{id}", { params: { path } }));
  await client.invalidateQueries({ queryKey: identitiesKey(name) });
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
      ).catch((error) => {
        // Without the setting the server refuses even its administrators to look.
        if (path === null && hasCode(error, "forbidden")) return [];
        throw error;
      }),
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

const MEANINGS = import.meta.glob<Record<string, string>>("./setting-meanings/*.json", { import: "default" });

/** The purposes of settings in a language, by their keys. English, and what a language lacks, comes from the server. */
async function settingMeanings(language: Language): Promise<Record<string, string>> {
  return (await MEANINGS[`./setting-meanings/${language}.json`]?.()) ?? {};
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

/** What the server saw that an administrator should know. */
export const serverQuery = queryOptions({
  queryKey: keys.server,
  queryFn: () => answerOf(v2.GET("/api/v2/admin/server")),
});

type Json<Call extends { requestBody?: unknown }> =
  NonNullable<Call["requestBody"]> extends { content: { "application/json": infer Body } } ? Body : never;

type NewAccount = Json<paths["/api/v2/admin/accounts"]["post"]>;
type AccountChange = Json<paths["/api/v2/admin/accounts/{name}"]["patch"]>;
type NewShare = Json<paths["/api/v2/admin/shares"]["post"]>;
type ShareChange = Json<paths["/api/v2/admin/shares/{id}"]["patch"]>;

/** Refreshes every list that shows accounts or their sessions. */
async function refreshAccounts(client: QueryClient): Promise<void> {
  await Promise.all(
    [keys.accounts, ["admin", "sessions"], ["admin", "shares"], keys.audit, keys.account].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}

export async function createAccount(client: QueryClient, body: NewAccount): Promise<void> {
  await answerOf(v2.POST("/api/v2/admin/accounts", { body }));
  await refreshAccounts(client);
}

export async function changeAccount(client: QueryClient, name: string, body: AccountChange): Promise<void> {
  await answerOf(v2.PATCH("/api/v2/admin/accounts/{name}", { params: { path: { name } }, body }));
  await refreshAccounts(client);
}

/** For one who has lost what shows the codes. */
export async function removeSecondFactor(client: QueryClient, name: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/admin/accounts/{name}/second-factor", { params: { path: { name } } }));
  await refreshAccounts(client);
}

export async function removeAccount(client: QueryClient, name: string, files: "keep" | "purge"): Promise<void> {
  const params = { path: { name }, query: { files } };
  await answerOf(v2.DELETE("/api/v2/admin/accounts/{name}", { params }));
  await refreshAccounts(client);
}

export async function createShare(client: QueryClient, body: NewShare): Promise<void> {
  await answerOf(v2.POST("/api/v2/admin/shares", { body }));
  await refreshShares(client);
}

export async function changeShare(client: QueryClient, id: string, body: ShareChange): Promise<void> {
  await answerOf(v2.PATCH("/api/v2/admin/shares/{id}", { params: { path: { id } }, body }));
  await refreshShares(client);
}

export async function removeShare(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/admin/shares/{id}", { params: { path: { id } } }));
  await refreshShares(client);
}

async function refreshShares(client: QueryClient): Promise<void> {
  const stale = [keys.shares, keys.locations, keys.folders, keys.audit];
  await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
}
