import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode } from "~/api/problem";
import type { PlainKey } from "~/messages";

/** What an account shares with other accounts and groups. */
export type Share = Schemas["PersonShare"];
/** The same for its owner, who alone is told where the item lies. */
export type GivenShare = Share & { path: string };
export type Access = Share["access"];
/** An account or a group. */
export type Person = Schemas["Person"];

export const sharedByMeQuery = queryOptions({
  queryKey: keys.sharedByMe,
  queryFn: async ({ signal }): Promise<GivenShare[]> =>
    (await allShares("byMe", signal)).flatMap((share) => (share.path === null ? [] : [{ ...share, path: share.path }])),
});

export const sharedWithMeQuery = queryOptions({
  queryKey: keys.sharedWithMe,
  queryFn: ({ signal }) => allShares("withMe", signal),
});

/** The latest first. */
async function allShares(direction: "byMe" | "withMe", signal: AbortSignal): Promise<Share[]> {
  const shares = await answerOf(v2.GET("/api/v2/shares", { params: { query: { direction } }, signal }));
  return shares.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The server proposes nobody for less of a name. */
export const LEAST_LETTERS = 2;

/** Accounts and groups whose names begin with what is typed. */
export function peopleQuery(text: string) {
  return queryOptions({
    queryKey: keys.people(text),
    queryFn: ({ signal }) => answerOf(v2.GET("/api/v2/people", { params: { query: { q: text } }, signal })),
    enabled: [...text].length >= LEAST_LETTERS,
    staleTime: 30_000,
  });
}

/** The rights in words. */
export const ACCESS_TEXTS = {
  read: "sharing.read",
  add: "sharing.add",
  write: "sharing.write",
} as const satisfies Record<Access, PlainKey>;

type Choice = { access: Access; hint: PlainKey };

const OF_FOLDERS: readonly Choice[] = [
  { access: "read", hint: "sharing.readHint" },
  { access: "add", hint: "sharing.addHint" },
  { access: "write", hint: "sharing.writeHint" },
];
const OF_FILES: readonly Choice[] = [
  { access: "read", hint: "sharing.readHint" },
  { access: "write", hint: "sharing.replaceHint" },
];

/** What can be given, from the least to the most; to a file nothing can be added. */
export function choicesOf(isDirectory: boolean): readonly Choice[] {
  return isDirectory ? OF_FOLDERS : OF_FILES;
}

/** One receiver of one share, as people look at access. */
export type Grant = { share: GivenShare; receiver: Person };

export function grantsOf(shares: readonly GivenShare[]): Grant[] {
  return shares.flatMap((share) => share.with.map((receiver) => ({ share, receiver })));
}

/** The shares of an item itself. */
export function sharesOf(shares: readonly GivenShare[], path: string): GivenShare[] {
  return shares.filter((share) => share.path === path);
}

/** The shares of the folders that an item lies in: they reach it too. */
export function sharesAbove(shares: readonly GivenShare[], path: string): GivenShare[] {
  return shares.filter((share) => path.startsWith(`${share.path}/`));
}

/** The share that a path lies in, for one whom it is shared with. */
export function shareAround(shares: readonly Share[], path: string): Share | undefined {
  return shares.find(({ location }) => `${path}/`.startsWith(location));
}

type Named = Pick<Person, "account" | "group">;
type ReceiverId = { account: string } | { group: string };

function idOf({ account, group }: Named): ReceiverId {
  return group === null ? { account: account ?? "" } : { group };
}

/** Tells receivers apart: an account may have the name of a group. */
export function receiverKey({ account, group }: Named): string {
  return group === null ? `account ${account}` : `group ${group}`;
}

/** Shares an item with one more, or gives one who has access already another. Throws what the server refused. */
export async function shareWith(client: QueryClient, path: string, person: Named, access: Access): Promise<void> {
  const shares = sharesOf(await client.ensureQueryData(sharedByMeQuery), path);
  const known = grantsOf(shares).find(({ receiver }) => receiverKey(receiver) === receiverKey(person));
  if (known) return changeAccess(client, known, access);
  await answerOf(v2.POST("/api/v2/shares", { body: { path, with: [idOf(person)], access } }));
  await refresh(client);
}

/** Gives one receiver another access; what others of the same share have stays. Throws what the server refused. */
export async function changeAccess(client: QueryClient, { share, receiver }: Grant, access: Access): Promise<void> {
  if (share.access === access) return;
  if (share.with.length === 1) return patch(client, share, { access });
  await answerOf(v2.POST("/api/v2/shares", { body: { path: share.path, with: [idOf(receiver)], access } }));
  await patch(client, share, { with: others(share, receiver) });
}

/** Takes the access of one receiver. Throws what the server refused. */
export async function removeAccess(client: QueryClient, { share, receiver }: Grant): Promise<void> {
  if (share.with.length === 1) return endShare(client, share);
  await patch(client, share, { with: others(share, receiver) });
}

function others(share: GivenShare, receiver: Person): ReceiverId[] {
  return share.with.filter((one) => receiverKey(one) !== receiverKey(receiver)).map(idOf);
}

type Change = { access?: Access; with?: ReceiverId[] };

async function patch(client: QueryClient, { id }: Share, body: Change): Promise<void> {
  try {
    await answerOf(v2.PATCH("/api/v2/shares/{id}", { params: { path: { id } }, body }));
  } finally {
    await refresh(client);
  }
}

/** Of the owner: it ends for all. Of a receiver: it leaves the own files. Throws what the server refused. */
export async function endShare(client: QueryClient, { id }: Share): Promise<void> {
  try {
    await answerOf(v2.DELETE("/api/v2/shares/{id}", { params: { path: { id } } }));
  } finally {
    await refresh(client);
  }
}

/** Ends all shares of an item, also if some have ended meanwhile. Throws what the server refused. */
export async function endSharesOf(client: QueryClient, path: string): Promise<void> {
  for (const share of sharesOf(await client.ensureQueryData(sharedByMeQuery), path)) {
    try {
      await endShare(client, share);
    } catch (error) {
      if (!hasCode(error, "not_found")) throw error;
    }
  }
}

async function refresh(client: QueryClient): Promise<void> {
  const stale = [keys.sharing, keys.locations, keys.folder("")];
  await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
}
