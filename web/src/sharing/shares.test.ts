import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { Problem } from "~/api/problem";
import type { Location } from "~/model/locations";
import { itemsOf } from "./SharedByMePage";
import { receivedOf } from "./SharedWithMePage";
import {
  changeAccess,
  endSharesOf,
  type GivenShare,
  grantsOf,
  type Person,
  removeAccess,
  shareAround,
  sharedByMeQuery,
  sharesAbove,
  sharesOf,
  shareWith,
} from "./shares";

const ANN: Person = { account: "ann", group: null, displayName: "Ann" };
const BOB: Person = { account: "bob", group: null, displayName: "Bob" };
const STAFF: Person = { account: null, group: "ann", displayName: "ann" };

function shareOf(id: string, path: string, others: Partial<GivenShare> = {}): GivenShare {
  return {
    id,
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    isDirectory: true,
    access: "read",
    location: `__adm_${id}/`,
    owner: ANN,
    with: [BOB],
    through: [],
    createdAt: "2026-11-21T06:14:09",
    ...others,
  };
}

function grant(share: GivenShare, receiver: Person) {
  return { share, receiver };
}

describe("which shares reach an item", () => {
  const shares = [shareOf("1", "album"), shareOf("2", "album/2026"), shareOf("3", "albums")];
  const ids = (found: GivenShare[]) => found.map(({ id }) => id);

  test("its own, and those of the folders above, but not of a name that begins so", () => {
    expect(ids(sharesOf(shares, "album"))).toEqual(["1"]);
    expect(ids(sharesAbove(shares, "album"))).toEqual([]);
    expect(ids(sharesAbove(shares, "album/2026/a.jpg"))).toEqual(["1", "2"]);
  });

  test("for a receiver, the one whose location it lies in", () => {
    expect(shareAround(shares, "__adm_2")?.id).toBe("2");
    expect(shareAround(shares, "__adm_2/a/b")?.id).toBe("2");
    expect(shareAround(shares, "__adm_22/a")).toBeUndefined();
  });
});

describe("what pages list", () => {
  test("one row for an item, by the latest of its shares", () => {
    const shares = [
      shareOf("1", "b", { createdAt: "2026-11-22T00:00:00" }),
      shareOf("2", "a", { createdAt: "2026-11-21T00:00:00" }),
      shareOf("3", "a", { createdAt: "2026-11-23T00:00:00" }),
    ];
    const items = itemsOf(shares).map(({ path, shares, since }) => [path, shares.length, since]);
    expect(items).toEqual([
      ["a", 2, "2026-11-23T00:00:00"],
      ["b", 1, "2026-11-22T00:00:00"],
    ]);
  });

  test("what people share, and then what administrators share, each once", () => {
    const at = (kind: Location["kind"], path: string) => ({ kind, path, name: path, readOnly: false }) as Location;
    const locations = [at("own", ""), at("shared", "__adm_1/"), at("shared", "__adm_9/"), at("ftp", "__conn_1/")];
    const received = receivedOf([shareOf("1", "album")], locations);
    expect(received.map(({ location, share }) => [location, share?.id])).toEqual([
      ["__adm_1/", "1"],
      ["__adm_9/", undefined],
    ]);
  });
});

describe("what is asked of the server", () => {
  let client: QueryClient;
  let asked: unknown[];

  beforeEach(() => {
    client = new QueryClient();
    asked = [];
    for (const method of ["POST", "PATCH", "DELETE"] as const) {
      vi.spyOn(v2, method).mockImplementation(((path: string, { params, body }: { params?: object; body?: object }) => {
        asked.push([method, path, params, body]);
        return Promise.resolve({ response: new Response() });
      }) as never);
    }
  });
  afterEach(() => vi.restoreAllMocks());

  const one = (id: string) => ({ path: { id } });

  test("a new share for somebody new, and a change for one who has access", async () => {
    const known = shareOf("1", "album", { with: [ANN] });
    client.setQueryData(sharedByMeQuery.queryKey, [known]);
    await shareWith(client, "album", BOB, "add");
    await shareWith(client, "album", ANN, "write");
    // A group is not the account of its name.
    await shareWith(client, "album", STAFF, "read");
    expect(asked).toEqual([
      ["POST", "/api/v2/shares", undefined, { path: "album", with: [{ account: "bob" }], access: "add" }],
      ["PATCH", "/api/v2/shares/{id}", one("1"), { access: "write" }],
      ["POST", "/api/v2/shares", undefined, { path: "album", with: [{ group: "ann" }], access: "read" }],
    ]);
  });

  test("another access for one of several takes that one out of their share", async () => {
    const share = shareOf("1", "album", { with: [ANN, BOB, STAFF] });
    await changeAccess(client, grant(share, BOB), "write");
    expect(asked).toEqual([
      ["POST", "/api/v2/shares", undefined, { path: "album", with: [{ account: "bob" }], access: "write" }],
      ["PATCH", "/api/v2/shares/{id}", one("1"), { with: [{ account: "ann" }, { group: "ann" }] }],
    ]);
  });

  test("who is taken out of a share leaves it to the others, and ends it as the last", async () => {
    const share = shareOf("1", "album", { with: [ANN, BOB] });
    await removeAccess(client, grant(share, ANN));
    for (const last of grantsOf([shareOf("2", "album")])) await removeAccess(client, last);
    expect(asked).toEqual([
      ["PATCH", "/api/v2/shares/{id}", one("1"), { with: [{ account: "bob" }] }],
      ["DELETE", "/api/v2/shares/{id}", one("2"), undefined],
    ]);
  });

  test("what has ended meanwhile does not keep the other shares of an item", async () => {
    client.setQueryData(sharedByMeQuery.queryKey, [
      shareOf("1", "album"),
      shareOf("2", "album"),
      shareOf("3", "other"),
    ]);
    const answers = [new Response(null, { status: 404 }), new Response()];
    vi.spyOn(v2, "DELETE").mockImplementation(((_: string, { params }: { params: unknown }) => {
      asked.push(params);
      const response = answers.shift() ?? new Response();
      return Promise.resolve(response.ok ? { response } : { error: { code: "not_found" }, response });
    }) as never);
    await endSharesOf(client, "album");
    expect(asked).toEqual([one("1"), one("2")]);
  });

  test("what the server refuses is thrown, and nothing else is asked of it", async () => {
    vi.spyOn(v2, "POST").mockImplementation((() =>
      Promise.resolve({ error: { code: "forbidden" }, response: new Response(null, { status: 403 }) })) as never);
    const share = shareOf("1", "album", { with: [ANN, BOB] });
    await expect(changeAccess(client, grant(share, BOB), "write")).rejects.toBeInstanceOf(Problem);
    expect(asked).toEqual([]);
  });
});
