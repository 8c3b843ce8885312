import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { File as FileSymbol, Share2 } from "lucide-react";
import { useState } from "react";
import { keys } from "~/api/keys";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { later } from "~/controls/later";
import { Page } from "~/controls/Page";
import { FolderTree } from "~/folder-tree/FolderTree";
import { useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { useIsReadOnly } from "~/model/locations";
import { BASE } from "~/platform/base";
import { chosenByInput } from "~/uploads/chosen";
import { useBeginUpload } from "~/uploads/useBeginUpload";
import styles from "./SharePage.module.css";

const NoRoomDialog = later(async () => (await import("~/uploads/NoRoomDialog")).NoRoomDialog);

/** Asks where that goes which another app has shared with this one, and uploads it. */
export function SharePage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  const [folder, setFolder] = useState("");
  const { data: files } = useQuery({ queryKey: keys.shared, queryFn: sharedFiles, staleTime: 0 });
  const { begin, isLooking, noRoom, closeNoRoom } = useBeginUpload();
  const isReadOnly = useIsReadOnly(folder);
  if (!files) return null;
  const leave = async () => {
    await forgetShared();
    client.setQueryData(keys.shared, []);
    await router.navigate(folderLink(folder));
  };
  const upload = async () => {
    if (await begin(chosenByInput(files), folder)) await leave();
  };
  if (files.length === 0) {
    return (
      <Page title={t("shared.title")}>
        <EmptyState icon={Share2} title={t("shared.none")} hint={t("shared.noneHint")}>
          <Link {...folderLink("")}>{t("app.toFiles")}</Link>
        </EmptyState>
      </Page>
    );
  }
  const isApp = runsAsApp();
  return (
    <Page title={t("shared.title")} intro={t(isApp ? "shared.intro" : "shared.introOfPage")}>
      <div className={styles.content}>
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified} ${file.size}`} className={styles.file}>
              <FileSymbol size={20} strokeWidth={1.6} aria-hidden />
              <bdi className={styles.name}>{file.name}</bdi>
              <span className={styles.size}>{formats.size(file.size)}</span>
            </li>
          ))}
        </ul>
        <FolderTree chosen={folder} onChoose={setFolder} forbids={(_, readOnly) => readOnly} />
        <div className={styles.buttons}>
          <Button look={isApp ? "plain" : "primary"} onPress={() => void leave()}>
            {t("shared.discard")}
          </Button>
          <Button look={isApp ? "primary" : "plain"} isDisabled={isLooking || isReadOnly} onPress={() => void upload()}>
            {t("shared.upload")}
          </Button>
        </div>
      </div>
      {noRoom && <NoRoomDialog noRoom={noRoom} onClose={closeNoRoom} />}
    </Page>
  );
}

/** True in the window of an installed app, into which alone phones share. */
function runsAsApp(): boolean {
  const modes = ["standalone", "minimal-ui", "window-controls-overlay", "fullscreen"];
  return modes.some((mode) => window.matchMedia(`(display-mode: ${mode})`).matches);
}

/** Where the service worker puts what a phone shares. */
const SHARED = `coffer-shared${BASE}`;

/** The files that another app shared with this one and that are not uploaded yet. */
export async function sharedFiles(): Promise<File[]> {
  if (!("caches" in window)) return [];
  const cache = await caches.open(SHARED);
  const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
  return Promise.all(answers.flatMap((answer) => (answer ? fileOf(answer) : [])));
}

async function fileOf(answer: Response): Promise<File> {
  const name = decodeURIComponent(answer.headers.get("X-Name") ?? "");
  const lastModified = Number(answer.headers.get("X-Modified"));
  return new File([await answer.blob()], name, { lastModified });
}

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED);
}
