const STORED = "coffer.uploads";

function accounts(): string[] {
  return JSON.parse(localStorage.getItem(STORED) ?? "[]") as string[];
}

/** Whether this browser may remember unfinished uploads: only then is what sends them loaded with the page. */
export function mayBeUnfinished(account: string): boolean {
  return accounts().includes(account);
}

export function markUnfinished(account: string, isSo: boolean): void {
  if (mayBeUnfinished(account) === isSo) return;
  const others = accounts().filter((one) => one !== account);
  localStorage.setItem(STORED, JSON.stringify(isSo ? [...others, account] : others));
}
