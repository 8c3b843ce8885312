import { expect, test } from "vitest";
import { archiveStem } from "./unpack";

const stem = (name: string, isDirectory = false) => archiveStem({ name, isDirectory });

test("archives are known by their names, and what they are called without", () => {
  expect(stem("photos.zip")).toBe("photos");
  expect(stem("release-1.2.tar.gz")).toBe("release-1.2");
  expect(stem("BACKUP.TGZ")).toBe("BACKUP");
});

test("other files, folders and names that would be empty are none", () => {
  expect(stem("zip")).toBeNull();
  expect(stem(".zip")).toBeNull();
  expect(stem("letter.docx")).toBeNull();
  expect(stem("photos.zip", true)).toBeNull();
});
