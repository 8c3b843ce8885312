import { BASE } from "~/platform/base";

const STORED = `coffer.uploads${BASE}`;
/** The database of `Memory`: jobs by the name of their account. */
export const DATABASE = `coffer-uploads${BASE}`;

function accounts(): string[] {
  return JSON.parse(localStorage.getItem(STORED) ?? "[]") as string[];
}

/** True if this browser may remember unfinished uploads: only then is the code that sends them loaded with the page. */
export async function mayBeUnfinished(account: string): Promise<boolean> {
  if (accounts().includes(account)) return true;
  // The mark is written to the disk some seconds late, and a browser that crashes loses it; the database stays.
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? [];
  return databases.some(({ name }) => name === DATABASE) && (await hasJobs(account).catch(() => false));
}

function hasJobs(account: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE);
    opening.onerror = reject;
    opening.onsuccess = () => {
      const database = opening.result;
      const counting = database.transaction("jobs").objectStore("jobs").index("account").count(account);
      counting.onsuccess = () => resolve(counting.result > 0);
      counting.onerror = reject;
      database.close();
    };
  });
}

export function markUnfinished(account: string, isSo: boolean): void {
  const marked = accounts();
  if (marked.includes(account) === isSo) return;
  const others = marked.filter((one) => one !== account);
  localStorage.setItem(STORED, JSON.stringify(isSo ? [...others, account] : others));
}
