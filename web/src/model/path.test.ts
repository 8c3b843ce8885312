import { describe, expect, it } from "vitest";
import { ancestors, childPath, folderOf, isWithin, nameOf, nameProblem, parentPath, stemLength } from "./path";

describe("paths", () => {
  it("are taken apart and put together", () => {
    expect(childPath("", "a")).toBe("a");
    expect(childPath("a/b", "c")).toBe("a/b/c");
    expect(parentPath("a/b/c")).toBe("a/b");
    expect(parentPath("a")).toBe("");
    expect(nameOf("a/b.txt")).toBe("b.txt");
    expect(ancestors("a/b/c")).toEqual(["a", "a/b", "a/b/c"]);
    expect(ancestors("")).toEqual([]);
  });

  it("come from addresses without the slashes that say nothing", () => {
    expect(folderOf(undefined)).toBe("");
    expect(folderOf("a//b/")).toBe("a/b");
  });

  it("lie within whole components only", () => {
    expect(isWithin("docs/a", "docs")).toBe(true);
    expect(isWithin("docs", "docs")).toBe(true);
    expect(isWithin("docs2", "docs")).toBe(false);
    expect(isWithin("docs", "")).toBe(true);
  });
});

describe("a new name", () => {
  it("is selected without its extension", () => {
    expect(stemLength("photo.tar.gz", false)).toBe("photo.tar".length);
    expect(stemLength(".profile", false)).toBe(".profile".length);
    expect(stemLength("plain", false)).toBe("plain".length);
    expect(stemLength("v1.2", true)).toBe("v1.2".length);
  });

  it("is refused as the server would refuse it", () => {
    expect(nameProblem("a.txt")).toBeNull();
    expect(nameProblem("")).toBe("files.nameEmpty");
    for (const name of ["a/b", "a\\b", ".", "..", "a\nb", "a\u007f"])
      expect(nameProblem(name)).toBe("files.nameForbidden");
    expect(nameProblem("ü".repeat(127))).toBeNull();
    expect(nameProblem("ü".repeat(128))).toBe("files.nameTooLong");
  });
});
