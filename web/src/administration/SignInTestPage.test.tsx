import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { TestPage } from "~/testing/TestPage";
import { SignInTestPage } from "./SignInTestPage";

const SETTING = { origin: "file", help: "", live: false, waits: false };
const SETTINGS = [{ ...SETTING, key: "ldap_url", value: "ldaps://ldap.example.org" }];
const STEP = { milliseconds: 1, problem: null };
const RESULT = {
  provider: null,
  directory: { bind: STEP, base: STEP, search: STEP, found: false },
  proxy: null,
  outcome: null,
};

let page: TestPage;

beforeEach(() => {
  vi.spyOn(v2, "GET").mockResolvedValue({ data: SETTINGS, response: new Response() } as never);
  vi.spyOn(v2, "POST").mockResolvedValue({ data: RESULT, response: new Response() } as never);
  page = new TestPage();
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
});

function type(text: string): void {
  const field = page.place.querySelector("input");
  if (!field) throw new Error("there is no field for a name");
  // React hears of what people type, not of what scripts set by its own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What the list of results says of a step. */
function said(step: string): string | null | undefined {
  const names = [...page.place.querySelectorAll("dt")];
  return names.find(({ textContent }) => textContent === step)?.nextElementSibling?.textContent;
}

async function showTested(): Promise<void> {
  await page.show(<SignInTestPage />);
  await vi.waitFor(() => type("nobody"));
  await vi.waitFor(() => expect(page.place.querySelector("input")?.value).toBe("nobody"));
  page.place.querySelector("form")?.requestSubmit();
  await vi.waitFor(() => expect(page.place.textContent).toContain("Tested."));
}

test("a search that finds nobody is not told as one that works", async () => {
  await showTested();
  expect(said("Search for the name")).toBe("The directory does not know this name.");
});

test("the results go with the question that they answer", async () => {
  await showTested();
  type("nobody else");
  await vi.waitFor(() => expect(page.place.textContent).not.toContain("Tested."));
  expect(said("Search for the name")).toBeUndefined();
});
