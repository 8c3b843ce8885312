import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { usePreference } from "~/api/preferences";
import { setDecider } from "~/api/problem";
import { showToast } from "~/controls/toast-store";
import { useMessages, withPageTexts } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { newShares } from "~/model/new-shares";
import { type Share, shareAround, sharedWithMeQuery } from "./shares";

const NONE: readonly Share[] = [];

/** When the latest share began of those that the person has seen on their page, and how to set it; empty for none. */
export function useSeenUntil(): [seenUntil: string, see: (moment: string) => void] {
  const [kept, keep] = usePreference("sharesSeenUntil");
  const see = (moment: string) => {
    // If it cannot be stored they count as new on other devices, and are seen again.
    keep(moment).catch(() => {});
  };
  return [typeof kept === "string" ? kept : "", see];
}

/** Refusals in a folder that another account shares name that account. */
export function useDecider(folder: string | null): void {
  const { data = NONE } = useQuery(sharedWithMeQuery);
  const name = folder === null ? null : (shareAround(data, folder)?.owner.displayName ?? null);
  useEffect(() => setDecider(name), [name]);
}

export function isNew({ createdAt }: Share, seenUntil: string): boolean {
  return createdAt > seenUntil;
}

/**
 * Does it as soon as the texts of pages are there, which the list of files does without. Without them it is not told.
 * What it returns takes it back, since texts asked for later may be there sooner.
 */
export function withTexts(tell: () => void): () => void {
  let isWanted = true;
  withPageTexts(async () => {}).then(
    () => isWanted && tell(),
    () => {},
  );
  return () => {
    isWanted = false;
  };
}

/** Counts the shares that the person has not seen, for the navigation, and tells of those that arrive meanwhile. */
export function useNewShares(): void {
  const { t } = useMessages();
  const router = useRouter();
  const [seenUntil] = useSeenUntil();
  const { data } = useQuery(sharedWithMeQuery);
  const count = (data ?? NONE).filter((share) => isNew(share, seenUntil)).length;
  useEffect(() => {
    if (count > 0) return withTexts(() => newShares.set({ count, text: t("sharing.newCount", { count }) }));
    newShares.set(null);
  }, [count, t]);
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set(data.map(({ id }) => id));
    for (const { id, name, owner, location } of data) {
      if (!before || before.has(id)) continue;
      const run = () => void router.navigate(folderLink(location.replace(/\/$/, "")));
      withTexts(() => {
        const text = t("sharing.now", { owner: owner.displayName, name });
        showToast({ text, action: { text: t("tasks.show"), run } });
      });
    }
  }, [data, router, t]);
}
