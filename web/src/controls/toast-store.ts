import { useSyncExternalStore } from "react";

export type Toast = {
  id: number;
  text: string;
  tone: "info" | "danger";
  action: { text: string; run: () => void } | null;
};

type New = { text: string; tone?: Toast["tone"]; action?: Toast["action"] };

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** So many stand at once; the oldest makes room. */
const MOST = 3;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Tells what has happened, for a while. */
export function showToast({ text, tone = "info", action = null }: New): void {
  lastId += 1;
  set([...toasts, { id: lastId, text, tone, action }].slice(-MOST));
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}
