import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import type { paths } from "~/api/v2";

type Json<Call extends { requestBody?: unknown }> =
  NonNullable<Call["requestBody"]> extends { content: { "application/json": infer Body } } ? Body : never;

type NewAccount = Json<paths["/api/v2/admin/accounts"]["post"]>;
type AccountChange = Json<paths["/api/v2/admin/accounts/{name}"]["patch"]>;
type NewShare = Json<paths["/api/v2/admin/shares"]["post"]>;
type ShareChange = Json<paths["/api/v2/admin/shares/{id}"]["patch"]>;

/** What was done to an account shows in every list of them, and of their sessions. */
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
