import { expect, test } from "vitest";
import { contentAddress } from "~/content/address";
import { isTextual, previewKind } from "~/content/kind";
import { previewName, previewPath } from "~/model/folder-address";
import { resolveLink } from "./MarkdownPreview";

test("kinds go by the extension, whatever its case", () => {
  expect(previewKind("a.JPG")).toBe("picture");
  expect(previewKind("a.tar.gz")).toBe("none");
  expect(previewKind("README.md")).toBe("markdown");
  expect(previewKind("Makefile")).toBe("text");
  expect(previewKind("page.html")).toBe("text");
  expect(previewKind(".mp4")).toBe("video");
  expect(isTextual("drawing.svg")).toBe(true);
  expect(isTextual("a.pdf")).toBe(false);
});

test("an address names what is shown by its name, or by its path where it lies elsewhere", () => {
  for (const folder of ["", "a", "a/b"]) {
    for (const path of ["x.txt", "a/x.txt", "a/b/x & y.txt", "a/bc/x"]) {
      expect(previewPath(folder, previewName(folder, path))).toBe(path);
    }
  }
  expect(previewName("a", "a/x.txt")).toBe("x.txt");
  expect(previewName("", "a/x.txt")).toBe("/a/x.txt");
});

test("names are encoded in addresses", () => {
  expect(contentAddress("a&b/c#?d e.txt")).toBe("/api/v2/files/content?path=a%26b%2Fc%23%3Fd+e.txt&disposition=inline");
});

test("links of a document lead to files beside it, or elsewhere in a new window, and never run anything", () => {
  expect(resolveLink("notes/a.md", "b%20c.png")).toEqual({ file: "notes/b c.png" });
  expect(resolveLink("notes/a.md", "../x/y.md#part")).toEqual({ file: "x/y.md" });
  expect(resolveLink("a.md", "../../x.md")).toEqual({ file: "x.md" });
  expect(resolveLink("a.md", "https://example.org/x")).toEqual({ elsewhere: "https://example.org/x" });
  expect(resolveLink("a.md", "mailto:ann@example.org")).toEqual({ elsewhere: "mailto:ann@example.org" });
  for (const bad of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "\u0001javascript:alert(1)", "data:text/html,x"]) {
    expect(resolveLink("a.md", bad)).toBeNull();
  }
  for (const bad of [
    "//example.org/x",
    "/api/v2/session",
    "%",
    "",
    "#part",
    "vbscript:x",
    "blob:x",
    "java\nscript:x",
  ]) {
    expect(resolveLink("a.md", bad)).toBeNull();
  }
});
