import { afterEach, expect, test, vi } from "vitest";
import { serverIsReached, setReached } from "~/api/reach";
import { laterModule } from "./later";

const failing = () => vi.fn(() => Promise.reject(new TypeError("no such file")));

afterEach(() => {
  vi.unstubAllGlobals();
  setReached(true);
});

test("a module that the server has no more tells that the page is old", async () => {
  vi.stubGlobal("fetch", async () => new Response());
  const load = laterModule(failing());
  await expect(load()).rejects.toMatchObject({ code: "renewed" });
});

test("a module tells that the server is away, and is not asked for until it is back", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
  const part = failing();
  const load = laterModule(part);
  await expect(load()).rejects.toMatchObject({ code: "offline" });
  expect(serverIsReached()).toBe(false);
  await expect(load()).rejects.toMatchObject({ code: "offline" });
  expect(part).toHaveBeenCalledTimes(1);
  setReached(true);
  await expect(load()).rejects.toMatchObject({ code: "offline" });
  expect(part).toHaveBeenCalledTimes(2);
});

test("a module is loaded when it is used", async () => {
  const load = laterModule(async () => ({ answer: 42 }));
  expect(await load()).toEqual({ answer: 42 });
});
