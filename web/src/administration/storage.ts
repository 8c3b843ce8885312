import { NEARLY_FULL } from "~/controls/Meter";

type Stored = { storageUsed: number; storageLimit: number };

/** How much of its quota an account uses; nothing of none. */
export function shareOf({ storageUsed, storageLimit }: Stored): number {
  return storageLimit > 0 ? storageUsed / storageLimit : 0;
}

/** The accounts, those that store most first. */
export function byUse<Account extends Stored>(accounts: readonly Account[]): Account[] {
  return accounts.toSorted((a, b) => b.storageUsed - a.storageUsed);
}

/** The sums of used bytes and of quotas, and the numbers of accounts without a quota and of nearly full ones. */
export function sumOf(accounts: readonly Stored[]) {
  return {
    used: accounts.reduce((sum, { storageUsed }) => sum + storageUsed, 0),
    limit: accounts.reduce((sum, { storageLimit }) => sum + storageLimit, 0),
    unlimited: accounts.filter(({ storageLimit }) => storageLimit === 0).length,
    nearlyFull: accounts.filter((account) => shareOf(account) >= NEARLY_FULL).length,
  };
}
