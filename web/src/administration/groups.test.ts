import { expect, test } from "vitest";
import { type Group, groupChange, wantedGroup } from "./groups";

const GROUP: Group = {
  id: "1",
  name: "Staff",
  description: "",
  fromProvider: false,
  members: ["ann", "bob"],
  defaultQuotaBytes: null,
  createdAt: "2026-11-21T06:14:09",
};

test("only what differs is sent, members by name", () => {
  expect(groupChange(GROUP, GROUP)).toEqual({});
  expect(groupChange(GROUP, { ...GROUP, name: "Crew", members: ["bob", "carol"] })).toEqual({
    name: "Crew",
    addedMembers: ["carol"],
    removedMembers: ["ann"],
  });
});

test("a quota is set and taken back, and 0 is one", () => {
  expect(groupChange(GROUP, { ...GROUP, defaultQuotaBytes: 0 })).toEqual({ defaultQuotaBytes: 0 });
  expect(groupChange({ ...GROUP, defaultQuotaBytes: 5 }, GROUP)).toEqual({ removesDefaultQuota: true });
  expect(wantedGroup({ ...GROUP, defaultQuotaBytes: 0 })).toMatchObject({ defaultQuotaBytes: 0 });
  expect(wantedGroup(GROUP)).not.toHaveProperty("defaultQuotaBytes");
});
