import type { Formats, Translate } from "~/messages";
import type { Link } from "./query";

/** What holds a link within bounds, in words: what guests may do, the password, the end, the downloads. */
export function factsOf(link: Link, t: Translate, formats: Formats): string[] {
  const { mode, hasPassword, expiresAt, maxDownloads, downloads } = link;
  const facts = [t(mode === "read" ? "links.modeRead" : "links.modeUpload")];
  if (hasPassword) facts.push(t("links.withPassword"));
  if (expiresAt !== null) facts.push(t("links.until", { time: formats.dateTime(expiresAt) }));
  if (maxDownloads !== null) facts.push(t("links.downloadsOf", { done: downloads, most: maxDownloads }));
  else if (downloads > 0) facts.push(t("links.downloads", { count: downloads }));
  return facts;
}
