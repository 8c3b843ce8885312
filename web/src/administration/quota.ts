export const UNITS = ["B", "MiB", "GiB", "TiB"] as const;
export type Unit = (typeof UNITS)[number];

const BYTES: Record<Unit, number> = { B: 1, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** A quota as it is typed; an empty amount is no limit. */
export type Quota = { amount: string; unit: Unit };

/** In the largest unit that says it in full. */
export function quotaOf(bytes: number): Quota {
  if (bytes === 0) return { amount: "", unit: "GiB" };
  const unit = [...UNITS].reverse().find((one) => bytes % BYTES[one] === 0) ?? "B";
  return { amount: String(bytes / BYTES[unit]), unit };
}

/** Zero for no limit; null for what is no size. */
export function bytesOf({ amount, unit }: Quota): number | null {
  const text = amount.trim().replace(",", ".");
  if (text === "") return 0;
  if (!/^\d+(\.\d+)?$/.test(text)) return null;
  const bytes = Math.round(Number(text) * BYTES[unit]);
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null;
}
