import type { QueryClient } from "@tanstack/react-query";
import { AccountUploads } from "./account-uploads";
import { setUploadCommands } from "./view";

/** Those of accounts that were signed in on this page. What one has chosen waits until it is back. */
const known = new Map<string, Promise<AccountUploads>>();
let active: Promise<AccountUploads> | null = null;

/** The uploads of the account that is signed in; those of others stop. */
export async function activate(account: string, client: QueryClient): Promise<AccountUploads> {
  const before = await active;
  const wanted = known.get(account) ?? begin(account, client);
  known.set(account, wanted);
  active = wanted;
  const uploads = await wanted;
  if (before && before !== uploads) before.stop();
  setUploadCommands(uploads);
  uploads.goOn();
  return uploads;
}

/** Nobody is signed in. */
export async function deactivate(): Promise<void> {
  (await active)?.stop();
}

async function begin(account: string, client: QueryClient): Promise<AccountUploads> {
  const uploads = new AccountUploads(account, client);
  await uploads.load();
  return uploads;
}
