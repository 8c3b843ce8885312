import { fetchAddress } from "~/api/client";
import { Problem } from "~/api/problem";
import { selectionOf } from "~/api/selection";
import type { Entry } from "~/model/entries";
import { at } from "~/platform/base";

/** Proxies take addresses of 8 KiB, and more than this only the paths of many items need. */
const LONGEST_QUERY = 4_000;

/**
 * Lets the browser take entries: the content of one file, else an archive of all. Throws what the server refuses, which
 * the browser would only name a failed download.
 */
export async function download(entries: readonly Entry[], name: string | null): Promise<void> {
  const [only] = entries;
  if (!only) return;
  const address = await addressOf(entries, only, name);
  await check(address);
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

async function addressOf(entries: readonly Entry[], only: Entry, name: string | null): Promise<string> {
  const named: Record<string, string> = entries.length > 1 && name !== null ? { name } : {};
  const query = new URLSearchParams(named);
  for (const { path } of entries) query.append("path", path);
  if (entries.length === 1 && !only.isDirectory) return at(`/api/v2/files/content?${query}`);
  if (query.toString().length <= LONGEST_QUERY) return at(`/api/v2/archive?${query}`);
  const selection = await selectionOf(entries.map(({ path }) => path));
  return at(`/api/v2/archive?${new URLSearchParams({ ...named, selection })}`);
}

async function check(address: string): Promise<void> {
  if ((await fetchAddress(address, "HEAD")).ok) return;
  const refused = await fetchAddress(address, "GET");
  if (refused.ok) return void refused.body?.cancel();
  throw Problem.of(refused, await refused.json().catch(() => undefined));
}
