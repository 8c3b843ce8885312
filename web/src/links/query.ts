import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { sentenceKey } from "~/api/problem";
import type { paths } from "~/api/v2";
import { showToast } from "~/controls/toast-store";
import { type Formats, type Translate, useMessages } from "~/messages";
import type { Link } from "~/model/links";
import { utcSeconds } from "~/model/moments";
import { SERVER } from "~/platform/base";
import { copyText } from "~/platform/clipboard";

/** The links that others made in what the account shares with them, the latest first. */
export const linksOfReceiversQuery = queryOptions({
  queryKey: keys.linksOfReceivers,
  queryFn: async () => {
    const links = await answerOf(v2.GET("/api/v2/links", { params: { query: { of: "receivers" } } }));
    return links.toReversed();
  },
});

/** Where guests go; null where it cannot be told any more. */
export function addressOf({ token }: Pick<Link, "token">): string | null {
  return token === null ? null : `${SERVER}/s/${token}`;
}

/** It opens nothing from then on, which shows at once; what the server refused is thrown, and it stands there again. */
async function endLink(client: QueryClient, id: string): Promise<void> {
  await client.cancelQueries({ queryKey: keys.links });
  const before = client.getQueryData<Link[]>(keys.links);
  client.setQueryData<Link[]>(keys.links, (links) => links?.filter((link) => link.id !== id));
  try {
    await answerOf(v2.DELETE("/api/v2/links/{id}", { params: { path: { id } } }));
  } catch (error) {
    client.setQueryData(keys.links, before);
    throw error;
  }
  await Promise.all([keys.links, keys.linksOfReceivers].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** A link's restrictions in words: rights, password, end, downloads. */
export function factsOf(link: Link, t: Translate, formats: Formats): string[] {
  const { mode, hasPassword, expiresAt, maxDownloads, downloads } = link;
  const facts = [t(mode === "read" ? "links.modeRead" : "links.modeUpload")];
  if (hasPassword) facts.push(t("links.withPassword"));
  if (expiresAt !== null) facts.push(t("links.until", { time: formats.dateTime(expiresAt) }));
  if (maxDownloads !== null) facts.push(t("links.downloadsOf", { done: downloads, most: maxDownloads }));
  else if (downloads > 0) facts.push(t("links.downloads", { count: downloads }));
  return facts;
}

type WantedLink = NonNullable<paths["/api/v2/links"]["post"]["requestBody"]>["content"]["application/json"];

/** The fields of a link's form, as typed. */
export type LinkForm = {
  mode: "read" | "upload";
  password: string;
  /** A day as `2027-01-31`, or empty. */
  lastDay: string;
  mostDownloads: string;
};

export const EMPTY_FORM: LinkForm = { mode: "read", password: "", lastDay: "", mostDownloads: "" };

/** The end of a day where one is, as the server's UTC moment. */
export function endOfDay(day: string): string {
  return utcSeconds(new Date(`${day}T23:59:59`));
}

export function wantedLink(path: string, form: LinkForm): WantedLink {
  return {
    path,
    mode: form.mode,
    ...(form.password !== "" && { password: form.password }),
    ...(form.lastDay !== "" && { expiresAt: endOfDay(form.lastDay) }),
    ...(form.mode === "read" && form.mostDownloads !== "" && { maxDownloads: Number(form.mostDownloads) }),
  };
}

export type Wrong = { password?: "links.passwordShort"; mostDownloads?: "links.limitWrong"; lastDay?: "links.dayPast" };

const LEAST_PASSWORD_BYTES = 8;
const MOST_DOWNLOADS = 1_000_000;

/** The errors of the form, by field. */
export function wrongIn(form: LinkForm, now: Date): Wrong {
  const wrong: Wrong = {};
  const bytes = new TextEncoder().encode(form.password).length;
  if (bytes > 0 && bytes < LEAST_PASSWORD_BYTES) wrong.password = "links.passwordShort";
  if (form.mode === "read" && form.mostDownloads !== "") {
    const count = Number(form.mostDownloads);
    if (!Number.isInteger(count) || count < 1 || count > MOST_DOWNLOADS) wrong.mostDownloads = "links.limitWrong";
  }
  if (form.lastDay !== "" && new Date(`${form.lastDay}T23:59:59`) <= now) wrong.lastDay = "links.dayPast";
  return wrong;
}

/** The commands of a link, for every list of links. */
export function useLinkCommands() {
  const { t } = useMessages();
  const client = useQueryClient();
  const copy = async (link: Link) => {
    const address = addressOf(link);
    if (address !== null && (await copyText(address))) showToast({ text: t("links.copied") });
    else showToast({ text: t("links.notCopied"), tone: "danger" });
  };
  const end = async (link: Link) => {
    try {
      await endLink(client, link.id);
      showToast({ text: t("links.ended") });
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    }
  };
  return { copy, end };
}
