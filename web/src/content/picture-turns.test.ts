import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadInTurn } from "./picture-turns";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A picture at a height of the window, whose loading a test tells. */
function pictureAt(top: number) {
  const image = document.createElement("img");
  image.getBoundingClientRect = () => ({ top, bottom: top + 100 }) as DOMRect;
  return image;
}

const isLoading = (image: HTMLImageElement) => image.hasAttribute("src");

test("four load at once, those that are seen first, and what is gone gives its turn to others", async () => {
  const images = [-300, -200, 0, 100, 200, 300, 400].map(pictureAt);
  const ends = images.map((image, number) => loadInTurn(image, `/${number}.png`, () => {}));
  await Promise.resolve();
  expect(images.map(isLoading)).toEqual([false, false, true, true, true, true, false]);
  images[2]?.dispatchEvent(new Event("load"));
  expect(images.map(isLoading)).toEqual([false, false, true, true, true, true, true]);
  ends[0]?.();
  ends[3]?.();
  expect(images.map(isLoading)).toEqual([false, true, true, false, true, true, true]);
  for (const end of ends) end();
  expect(images.some(isLoading)).toBe(false);
});

test("a picture that fails is asked for once more", async () => {
  const failed = vi.fn();
  const image = pictureAt(0);
  const end = loadInTurn(image, "/a.png", failed);
  await Promise.resolve();
  image.dispatchEvent(new Event("error"));
  expect(failed).not.toHaveBeenCalled();
  image.removeAttribute("src");
  vi.advanceTimersByTime(2_000);
  await Promise.resolve();
  expect(isLoading(image)).toBe(true);
  image.dispatchEvent(new Event("error"));
  expect(failed).toHaveBeenCalledOnce();
  end();
});
