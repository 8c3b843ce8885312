import { useQueryClient } from "@tanstack/react-query";
import { sentenceKey } from "~/api/problem";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { copyText } from "~/platform/clipboard";
import { addressOf, endLink, type Link } from "./query";

/** What can be done with a link, in every list of them. */
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
