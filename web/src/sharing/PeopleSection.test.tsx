import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v1, v2 } from "~/api/client";
import { type Account, AccountContext } from "~/api/session";
import { TestPage } from "~/testing/TestPage";
import { PeopleSection } from "./PeopleSection";

const BOB = { account: "bob", group: null, displayName: "Bob" };
const STAFF = { account: null, group: "staff", displayName: "staff" };
const ACCOUNT = { userName: "ann", displayName: "Ann" } as Account;

let page: TestPage;
let refused: readonly string[];
let shared: object[];

const found = (data: unknown) => Promise.resolve({ data, response: new Response() });

beforeEach(() => {
  refused = [];
  shared = [];
  page = new TestPage();
  const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => media);
  vi.spyOn(v1, "GET").mockImplementation((() => found({ data: [{ kind: "own", path: "", name: "" }] })) as never);
  vi.spyOn(v2, "GET").mockImplementation(((path: string) =>
    found(path === "/api/v2/people" ? [BOB, STAFF] : [])) as never);
  vi.spyOn(v2, "POST").mockImplementation(((_: string, { body }: { body: { with: object[] } }) => {
    const [first = {}] = body.with;
    if (!Object.keys(first).some((kind) => refused.includes(kind))) {
      shared.push(body);
      return found({});
    }
    const error = { code: "not_found", detail: "there is no such group" };
    return Promise.resolve({ error, response: new Response(null, { status: 404 }) });
  }) as never);
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function show(): Promise<HTMLInputElement> {
  await page.show(
    <AccountContext value={ACCOUNT}>
      <PeopleSection path="album" isDirectory />
    </AccountContext>,
  );
  return vi.waitFor(() => {
    const input = page.place.querySelector<HTMLInputElement>("input[role=combobox]");
    if (!input) throw new Error("no field yet");
    return input;
  });
}

function type(input: HTMLInputElement, text: string): void {
  input.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function proposed(name: string): Promise<HTMLElement> {
  return vi.waitFor(() => {
    const options = [...document.querySelectorAll<HTMLElement>("[role=option]")];
    const one = options.find((option) => option.textContent?.startsWith(name));
    if (!one) throw new Error(`${name} is not proposed`);
    return one;
  });
}

async function choose(input: HTMLInputElement, name: string): Promise<void> {
  type(input, name.slice(0, 2));
  (await proposed(name)).click();
  await vi.waitFor(() => expect(page.place.querySelector("[role=grid]")?.textContent).toContain(name));
}

const send = () => page.place.querySelector<HTMLButtonElement>("button[type=submit]")?.click();

test("a name that is typed and not chosen is told, and shares nothing", async () => {
  const input = await show();
  send();
  await vi.waitFor(() => expect(page.place.textContent).toContain("Choose somebody from the list."));
  type(input, "bo");
  await vi.waitFor(() => expect(page.place.textContent).not.toContain("Choose somebody from the list."));
  send();
  await vi.waitFor(() => expect(page.place.textContent).toContain("Choose somebody from the list."));
  expect(shared).toEqual([]);
});

test("those whom the server refuses stay, with its reason", async () => {
  const input = await show();
  refused = ["group"];
  await choose(input, "Bob");
  await choose(input, "staff");
  send();
  await vi.waitFor(() => expect(page.place.textContent).toContain("there is no such group"));
  expect(shared).toEqual([{ path: "album", with: [{ account: "bob" }], access: "read" }]);
  const left = page.place.querySelector("[role=grid]")?.textContent;
  expect(left).toContain("staff");
  expect(left).not.toContain("Bob");
});

test("who was found for another name is not chosen for what is typed now", async () => {
  const asked: (string | undefined)[] = [];
  vi.spyOn(v2, "GET").mockImplementation(((path: string, options?: { params: { query: { q?: string } } }) => {
    const q = options?.params.query.q;
    if (path === "/api/v2/people") asked.push(q);
    return found(q === "bo" ? [BOB] : []);
  }) as never);
  const input = await show();
  type(input, "bo");
  await proposed("Bob");
  type(input, "carol");
  await vi.waitFor(() => expect(input.value).toBe("carol"));
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  await vi.waitFor(() => expect(asked).toContain("carol"));
  // Who is chosen takes the place of what was typed.
  expect(input.value).toBe("carol");
  expect(page.place.querySelector("[role=grid]")).toBeNull();
});
