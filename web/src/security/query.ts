import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { makePasskey } from "~/api/passkeys";

export type Security = Schemas["Security"];
export type NewTotp = Schemas["NewTotp"];

/** How the account is signed in to. */
export const securityQuery = queryOptions({
  queryKey: keys.security,
  queryFn: () => answerOf(v2.GET("/api/v2/account/security")),
});

export type Identity = Schemas["Identity"];

/** The persons at the provider that sign in to the account. */
export const identitiesQuery = queryOptions({
  queryKey: keys.identities,
  queryFn: () => answerOf(v2.GET("/api/v2/account/identities")),
});

export async function unlink(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/account/identities/{id}", { params: { path: { id } } }));
  await client.invalidateQueries({ queryKey: keys.identities });
}

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.security });

export async function beginTotp(): Promise<NewTotp> {
  return await answerOf(v2.POST("/api/v2/account/totp"));
}

/** Turns the second factor on; the recovery codes. */
export async function confirmTotp(client: QueryClient, code: string): Promise<readonly string[]> {
  const { codes } = await answerOf(v2.POST("/api/v2/account/totp/confirm", { body: { code } }));
  void refresh(client);
  return codes;
}

export async function removeTotp(client: QueryClient): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/account/totp"));
  await refresh(client);
}

export async function renewCodes(client: QueryClient): Promise<readonly string[]> {
  const { codes } = await answerOf(v2.POST("/api/v2/account/recovery-codes"));
  void refresh(client);
  return codes;
}

export type Passkey = Schemas["Passkey"];

/** The passkeys that open the account. */
export const passkeysQuery = queryOptions({
  queryKey: [...keys.security, "passkeys"] as const,
  queryFn: () => answerOf(v2.GET("/api/v2/account/passkeys")),
});

/** Has the browser make a passkey; the recovery codes, if it is the account's first second factor. */
export async function addPasskey(client: QueryClient, name: string): Promise<readonly string[] | null> {
  const credential = await makePasskey();
  const { recoveryCodes } = await answerOf(v2.POST("/api/v2/account/passkeys", { body: { name, credential } }));
  void refresh(client);
  return recoveryCodes;
}

export async function renamePasskey(client: QueryClient, id: string, name: string): Promise<void> {
  await answerOf(v2.PATCH("/api/v2/account/passkeys/{id}", { params: { path: { id } }, body: { name } }));
  await refresh(client);
}

export async function removePasskey(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/account/passkeys/{id}", { params: { path: { id } } }));
  await refresh(client);
}
