import type { QueryClient } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import type { paths } from "~/api/v2";

export type Group = Schemas["Group"];

type NewGroup = NonNullable<paths["/api/v2/admin/groups"]["post"]["requestBody"]>["content"]["application/json"];
type GroupChange = NonNullable<
  paths["/api/v2/admin/groups/{id}"]["patch"]["requestBody"]
>["content"]["application/json"];

export function useGroups(): CursorList<Group> {
  return useCursorList<Group>(keys.groups, (query, signal) =>
    answerOf(v2.GET("/api/v2/admin/groups", { params: { query }, signal })),
  );
}

/** What the form of a group holds. */
export type GroupForm = Pick<Group, "name" | "description" | "fromProvider" | "members" | "defaultQuotaBytes">;

export function wantedGroup({ defaultQuotaBytes, ...form }: GroupForm): NewGroup {
  return { ...form, ...(defaultQuotaBytes !== null && { defaultQuotaBytes }) };
}

/** Only what differs, since the audit log records all that is sent, and another administrator may have changed the rest. */
export function groupChange(group: Group, form: GroupForm): GroupChange {
  const change: GroupChange = {};
  if (form.name !== group.name) change.name = form.name;
  if (form.description !== group.description) change.description = form.description;
  if (form.fromProvider !== group.fromProvider) change.fromProvider = form.fromProvider;
  const added = form.members.filter((name) => !group.members.includes(name));
  const removed = group.members.filter((name) => !form.members.includes(name));
  if (added.length > 0) change.addedMembers = added;
  if (removed.length > 0) change.removedMembers = removed;
  if (form.defaultQuotaBytes !== group.defaultQuotaBytes) {
    if (form.defaultQuotaBytes === null) change.removesDefaultQuota = true;
    else change.defaultQuotaBytes = form.defaultQuotaBytes;
  }
  return change;
}

export async function createGroup(client: QueryClient, body: NewGroup): Promise<void> {
  await answerOf(v2.POST("/api/v2/admin/groups", { body }));
  await refreshGroups(client);
}

export async function changeGroup(client: QueryClient, id: string, body: GroupChange): Promise<void> {
  await answerOf(v2.PATCH("/api/v2/admin/groups/{id}", { params: { path: { id } }, body }));
  await refreshGroups(client);
}

export async function removeGroup(client: QueryClient, id: string): Promise<void> {
  await answerOf(v2.DELETE("/api/v2/admin/groups/{id}", { params: { path: { id } } }));
  await refreshGroups(client);
}

/** What an administrator shares with a group, or has from one, changes with it. */
async function refreshGroups(client: QueryClient): Promise<void> {
  const stale = [keys.groups, keys.sharing, keys.locations, keys.folders, keys.audit];
  await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
}
