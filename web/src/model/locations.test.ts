import { expect, it } from "vitest";
import { type Location, partsOf } from "./locations";

const locations = [
  { path: "", kind: "own", name: "My files" },
  { path: "__adm_7/", kind: "share", name: "Team" },
  { path: "__conn_12/", kind: "sftp", name: "NAS" },
] as Location[];

it("names a share or connector by its name", () => {
  expect(partsOf("__conn_12", locations)).toEqual(["NAS"]);
  expect(partsOf("__adm_7/team/a", locations)).toEqual(["Team", "team", "a"]);
});

it("leaves own folders as they are", () => {
  expect(partsOf("documents/2026", locations)).toEqual(["documents", "2026"]);
  expect(partsOf("", locations)).toEqual([]);
});

it("shows no identifier of a place that is gone, or not known yet", () => {
  expect(partsOf("__conn_123/a", locations)).toEqual(["…", "a"]);
  expect(partsOf("__adm_7", [])).toEqual(["…"]);
});
