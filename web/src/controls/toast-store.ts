import { Store } from "~/platform/store";

export type Toast = {
  id: number;
  text: string;
  tone: "info" | "danger";
  action: { text: string; run: () => void } | null;
};

type New = { text: string; tone?: Toast["tone"]; action?: Toast["action"] };

const toasts = new Store<readonly Toast[]>([]);
let lastId = 0;
/** So many stand at once; the oldest makes room. */
const MOST = 3;

/** Tells what has happened, for a while. */
export function showToast({ text, tone = "info", action = null }: New): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text, tone, action }].slice(-MOST));
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return toasts.use();
}
