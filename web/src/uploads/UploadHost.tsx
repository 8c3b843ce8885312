import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount } from "~/api/session";
import { showToast } from "~/controls/toast-store";
import { joined, useMessages } from "~/messages";
import { mayBeUnfinished } from "./unfinished";
import { isUnderWay, uploadCommands, useUploads } from "./view";

/** Goes on with what an earlier page left unfinished, and stops when the session ends. */
export function UploadHost({ onShow }: { onShow: () => void }) {
  useEndings(onShow);
  const client = useQueryClient();
  const { userName } = useAccount();
  useEffect(() => {
    let isOver = false;
    const goOn = async () => {
      if (!(await mayBeUnfinished(userName)) || isOver) return;
      const { activate } = await import("./account-uploads");
      if (!isOver) await activate(userName, client);
    };
    void goOn();
    return () => {
      isOver = true;
      if (uploadCommands()) void import("./account-uploads").then(({ deactivate }) => deactivate());
    };
  }, [userName, client]);
  return null;
}

/** The uploads that have ended and were told, also to another account meanwhile. */
const told = new Set<string>();

/** Tells what became of uploads once none is under way any more. */
function useEndings(onShow: () => void): void {
  const { t } = useMessages();
  const uploads = useUploads();
  useEffect(() => {
    for (const { id, state } of uploads) if (state !== "ended") told.delete(id);
    if (uploads.some(isUnderWay)) return;
    const ended = uploads.filter(({ id, state }) => state === "ended" && !told.has(id));
    for (const { id } of ended) told.add(id);
    const count = ended.reduce((sum, { doneCount }) => sum + doneCount, 0);
    // Whoever has skipped something knows.
    const left = ended.flatMap((upload) => upload.left).filter(({ reason }) => reason !== "uploads.skippedTaken");
    const title = ended.length === 1 && left.length === 0 ? ended[0]?.title : null;
    const texts: string[] = [];
    if (count > 0) texts.push(title ? t("uploads.endedOne", { name: title }) : t("uploads.ended", { count }));
    if (left.length > 0)
      texts.push(t("tasks.left", { count: left.length }), ...left.slice(0, 3).map(({ name }) => name));
    if (texts.length === 0) return;
    const show = { text: t("tasks.show"), run: onShow };
    showToast({ text: joined(texts), ...(left.length > 0 && { tone: "danger", action: show }) });
  }, [uploads, t, onShow]);
}
