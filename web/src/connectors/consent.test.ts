import { expect, it } from "vitest";
import { handOn, sentBackIn, stateOf, waitFor } from "./consent";

it("reads what a provider sends a person back with", () => {
  expect(sentBackIn("?state=s&code=4%2F0A&scope=x")).toEqual({ state: "s", code: "4/0A" });
  expect(sentBackIn("?state=s&code=00123456789012345678")).toEqual({ state: "s", code: "00123456789012345678" });
  expect(sentBackIn("?state=s&error=access_denied")).toEqual({ state: "s", code: "" });
});

it.each(["", "?code=c", "?state=s", "?state=&code=c", "?error=x"])("takes nothing from %s", (search) => {
  expect(sentBackIn(search)).toBeNull();
});

it("knows a login by its address", () => {
  expect(stateOf("https://a.example/auth?client_id=c&state=a-_b&x=1")).toBe("a-_b");
});

it("hands on to the window that waits for this login, and to no other", async () => {
  const ends = new AbortController();
  const other = waitFor("other", ends.signal);
  const waits = waitFor("mine", ends.signal);
  expect(await handOn("?state=mine&code=c")).toBe("handed on");
  expect(await waits).toEqual({ state: "mine", code: "c" });
  expect(await Promise.race([other, Promise.resolve("still waits")])).toBe("still waits");
  ends.abort();
});

it("tells where no window waits, and what is no answer", async () => {
  const ends = new AbortController();
  void waitFor("mine", ends.signal);
  ends.abort();
  expect(await handOn("?state=mine&code=c")).toBe("unexpected");
  expect(await handOn("?x=1")).toBe("senseless");
});
