import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { type Formats, joined, type Translate } from "~/messages";
import { utcSeconds } from "~/model/moments";
import { at } from "~/platform/base";

export type AuditEvent = Schemas["AuditEvent"];
type EventName = AuditEvent["event"];

/** In the order in which they are offered. */
export const EVENTS: readonly EventName[] = [
  "session.created",
  "session.refused",
  "session.ended",
  "account.created",
  "account.changed",
  "account.removed",
  "key.created",
  "key.revoked",
  "share.created",
  "share.changed",
  "share.removed",
  "connector.created",
  "connector.changed",
  "connector.removed",
  "link.created",
  "link.ended",
  "identity.linked",
  "identity.unlinked",
  "second_factor.added",
  "second_factor.removed",
  "recovery_codes.made",
  "item.shared",
  "item.share_changed",
  "item.unshared",
  "group.created",
  "group.changed",
  "group.removed",
  "lock.broken",
  "passkey.added",
  "passkey.removed",
  "passkey.counter_fell",
];

/** The filter of the log; empty fields match everything. The days are the reader's, as `2026-11-24`. */
export type AuditFilter = { event: EventName | ""; account: string; first: string; last: string };

export const EVERYTHING: AuditFilter = { event: "", account: "", first: "", last: "" };

type Query = { event?: EventName; account?: string; from?: string; to?: string };

/** The filter as the server takes it: UTC, from the first day's beginning until the last one has ended. */
export function queryOf({ event, account, first, last }: AuditFilter): Query {
  const query: Query = {};
  if (event !== "") query.event = event;
  if (account !== "") query.account = account;
  if (first !== "") query.from = utcSeconds(new Date(`${first}T00:00:00`));
  if (last !== "") {
    const end = new Date(`${last}T00:00:00`);
    end.setDate(end.getDate() + 1);
    query.to = utcSeconds(end);
  }
  return query;
}

export function exportAddress(filter: AuditFilter, format: "csv" | "jsonl"): string {
  return at(`/api/v2/admin/audit/export?${new URLSearchParams({ ...queryOf(filter), format })}`);
}

export function useAudit(filter: AuditFilter): CursorList<AuditEvent> {
  return useCursorList<AuditEvent>([...keys.audit, filter], (page, signal) =>
    answerOf(v2.GET("/api/v2/admin/audit", { params: { query: { ...queryOf(filter), ...page } }, signal })),
  );
}

/** The texts for an account's fields, by the log's words for them. */
const PARTS: Record<string, (value: string, t: Translate, formats: Formats) => string> = {
  displayName: (_, t) => t("admin.displayName"),
  password: (_, t) => t("signIn.password"),
  role: (value, t) => `${t("admin.role")}: ${t(value === "admin" ? "admin.roleAdmin" : "admin.roleUser")}`,
  disabled: (value, t) => `${t("admin.disabled")}: ${t(value === "true" ? "admin.yes" : "admin.no")}`,
  quota: (value, t, formats) =>
    `${t("admin.quota")}: ${value === "0" ? t("admin.unlimited") : formats.size(Number(value))}`,
};

/** An event's details of an account as people read them; what has no words here stays as the log has it. */
export function accountDetails(details: string, t: Translate, formats: Formats): string {
  if (details === "") return "";
  const parts = details.split(", ").map((part) => {
    const [word = "", value = ""] = part.split("=", 2);
    return PARTS[word]?.(value, t, formats) ?? part;
  });
  return joined(parts);
}
