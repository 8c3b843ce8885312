import { expect, it } from "vitest";
import type { Location } from "~/locations/query";
import { folderName } from "./query";

const locations = [
  { path: "", kind: "own", name: "My files" },
  { path: "__conn_12/", kind: "sftp", name: "NAS" },
] as Location[];

it("shows a mount by its name", () => {
  expect(folderName("__conn_12", locations)).toBe("NAS");
  expect(folderName("__conn_12/team/a", locations)).toBe("NAS/team/a");
});

it("leaves own folders, and those of mounts that are gone, as they are", () => {
  expect(folderName("documents/2026", locations)).toBe("documents/2026");
  expect(folderName("__conn_123", locations)).toBe("__conn_123");
});
