import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { joined, type Translate, useMessages } from "~/messages";
import { type Link, linksQuery } from "~/model/links";
import { type SharedMark, sharedMarks } from "~/model/shared-marks";
import { withTexts } from "./new-shares";
import { type GivenShare, grantsOf, sharedByMeQuery } from "./shares";

const NONE: readonly never[] = [];
/** So many are named in the mark of an item; its details name all. */
const MOST_NAMED = 3;

function byPath<One extends { path: string }>(all: readonly One[]): Map<string, One[]> {
  const grouped = new Map<string, One[]>();
  for (const one of all) grouped.set(one.path, [...(grouped.get(one.path) ?? []), one]);
  return grouped;
}

export function marksOf(
  t: Translate,
  shares: readonly GivenShare[],
  links: readonly Pick<Link, "path">[],
): Map<string, SharedMark> {
  const shared = byPath(shares);
  const linked = byPath(links);
  const marks = new Map<string, SharedMark>();
  for (const path of new Set([...shared.keys(), ...linked.keys()])) {
    const grants = grantsOf(shared.get(path) ?? NONE);
    const named = grants.slice(0, MOST_NAMED).map(({ receiver }) => receiver.displayName);
    if (grants.length > MOST_NAMED) named.push("…");
    const texts = named.length > 0 ? [t("sharing.mark", { names: named.join(", ") })] : [];
    const count = linked.get(path)?.length ?? 0;
    if (count > 0) texts.push(t("sharing.links", { count }));
    marks.set(path, { isWithPeople: grants.length > 0, text: joined(texts) });
  }
  return marks;
}

/** Marks what the account shares, in lists of its own files. */
export function useSharedMarks(): void {
  const { t } = useMessages();
  const { data: shares = NONE } = useQuery(sharedByMeQuery);
  const { data: links = NONE } = useQuery(linksQuery);
  useEffect(() => {
    if (shares.length + links.length > 0) return withTexts(() => sharedMarks.set(marksOf(t, shares, links)));
    sharedMarks.set(new Map());
  }, [t, shares, links]);
}
