import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";

export type AuditEvent = Schemas["AuditEvent"];
export type EventName = AuditEvent["event"];

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
];

/** What is looked for; empty for no matter what. The days are those of the reader, as `2026-11-24`. */
export type AuditFilter = { event: EventName | ""; account: string; first: string; last: string };

export const EVERYTHING: AuditFilter = { event: "", account: "", first: "", last: "" };

type Query = { event?: EventName; account?: string; from?: string; to?: string };

function utc(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

/** The filter as the server takes it: UTC, from the first day's beginning until the last one has ended. */
export function queryOf({ event, account, first, last }: AuditFilter): Query {
  const query: Query = {};
  if (event !== "") query.event = event;
  if (account !== "") query.account = account;
  if (first !== "") query.from = utc(new Date(`${first}T00:00:00`));
  if (last !== "") {
    const end = new Date(`${last}T00:00:00`);
    end.setDate(end.getDate() + 1);
    query.to = utc(end);
  }
  return query;
}

export function exportAddress(filter: AuditFilter, format: "csv" | "jsonl"): string {
  return `/api/v2/admin/audit/export?${new URLSearchParams({ ...queryOf(filter), format })}`;
}

export function useAudit(filter: AuditFilter): CursorList<AuditEvent> {
  return useCursorList<AuditEvent>([...keys.audit, filter], (page, signal) =>
    answerOf(v2.GET("/api/v2/admin/audit", { params: { query: { ...queryOf(filter), ...page } }, signal })),
  );
}
