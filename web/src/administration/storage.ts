type Stored = { storageUsed: number; storageLimit: number };

/** From this share of its quota on an account is soon full. */
export const NEARLY_FULL = 0.9;

/** How much of its quota an account uses; nothing of none. */
export function shareOf({ storageUsed, storageLimit }: Stored): number {
  return storageLimit > 0 ? storageUsed / storageLimit : 0;
}

/** How long its bar is: the share of its quota, or without one that of all that is stored. */
export function barOf(account: Stored, all: number): number {
  const share = account.storageLimit > 0 ? shareOf(account) : account.storageUsed / Math.max(all, 1);
  return Math.min(share, 1);
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
