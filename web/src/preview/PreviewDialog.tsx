import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download, PencilLine, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { contentAddress, thumbnailAddress } from "~/content/address";
import { NoPreview, PreviewSkeleton } from "~/content/ContentStates";
import { isTextual, previewKind } from "~/content/kind";
import { textQuery } from "~/content/text-file";
import { Button } from "~/controls/Button";
import { later } from "~/controls/later";
import { useMessages, withPageTexts } from "~/messages";
import type { Entry } from "~/model/entries";
import { nameOf } from "~/model/path";
import previewBodyStyles from "./PreviewBody.module.css";
import styles from "./PreviewDialog.module.css";

type PreviewDialogProps = {
  path: string;
  files: readonly Entry[];
  isEdited: boolean;
  onShow: (path: string) => void;
  onEdit: (isEdited: boolean) => void;
  onClose: () => void;
};

/** One file over the whole page. */
export function PreviewDialog({ path, files, isEdited, onShow, onEdit, onClose }: PreviewDialogProps) {
  const { t } = useMessages();
  const name = nameOf(path);
  const index = files.findIndex((entry) => entry.path === path);
  const entry = files[index];
  const before = isEdited ? undefined : files[index - 1];
  const after = isEdited || index < 0 ? undefined : files[index + 1];
  const onBefore = before && (() => onShow(before.path));
  const onAfter = after && (() => onShow(after.path));
  useTurning(onBefore, onAfter);
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""} aria-label={t("preview.title", { name })}>
          <div className={styles.frame}>
            <PreviewHeader
              path={path}
              place={index < 0 ? null : { number: index + 1, count: files.length }}
              canEdit={entry?.readOnly !== true && !isEdited}
              onBefore={onBefore}
              onAfter={onAfter}
              onEdit={() => onEdit(true)}
              onClose={onClose}
            />
            <PreviewBody key={path} path={path} entry={entry} isEdited={isEdited} onEdit={onEdit} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type PreviewHeaderProps = {
  path: string;
  place: { number: number; count: number } | null;
  canEdit: boolean;
  onBefore: (() => void) | undefined;
  onAfter: (() => void) | undefined;
  onEdit: () => void;
  onClose: () => void;
};

function save(path: string): void {
  const link = document.createElement("a");
  link.href = contentAddress(path, "attachment");
  link.download = "";
  link.click();
}

/** The head of the preview: the file's name and the actions. */
function PreviewHeader({ path, place, canEdit, onBefore, onAfter, onEdit, onClose }: PreviewHeaderProps) {
  const { t } = useMessages();
  const name = nameOf(path);
  // What is shown tells if it can be written back; until then the name does.
  const { data: shown } = useQuery({ ...textQuery(path), enabled: false });
  const isEditable = canEdit && isTextual(name) && shown?.canWrite !== false;
  return (
    <header className={styles.header}>
      <h2 className={styles.name} title={name}>
        <bdi>{name}</bdi>
      </h2>
      {place && place.count > 1 && <span className={styles.place}>{t("preview.place", place)}</span>}
      <div className={styles.actions}>
        {isEditable && (
          <Button look="quiet" icon={PencilLine} iconOnly="narrow" onPress={onEdit}>
            {t("preview.edit")}
          </Button>
        )}
        <Button look="quiet" icon={Download} iconOnly="narrow" onPress={() => save(path)}>
          {t("files.download")}
        </Button>
        <span className={styles.turning}>
          <Button look="quiet" icon={ChevronLeft} iconOnly isDisabled={!onBefore} onPress={() => onBefore?.()}>
            {t("preview.previous")}
          </Button>
          <Button look="quiet" icon={ChevronRight} iconOnly isDisabled={!onAfter} onPress={() => onAfter?.()}>
            {t("preview.next")}
          </Button>
        </span>
        <Button look="quiet" icon={X} iconOnly onPress={onClose}>
          {t("app.close")}
        </Button>
      </div>
    </header>
  );
}

/** Elements with keys of their own: players, texts, and dialogs above. */
const OWN_KEYS = "video, audio, input, textarea, select, [data-own-keys], [role=alertdialog]";

function hasOwnKeys(target: EventTarget | null | undefined): boolean {
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

/** Arrows lead to the file before and after, along the line of the language. */
function useTurning(onBefore: (() => void) | undefined, onAfter: (() => void) | undefined): void {
  const turns = useRef({ onBefore, onAfter });
  turns.current = { onBefore, onAfter };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // Events from within an editor have the editor as their target.
      if (hasOwnKeys(event.target) || hasOwnKeys(event.composedPath()[0])) return;
      const [before, after] =
        document.documentElement.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
      const turn =
        event.key === before ? turns.current.onBefore : event.key === after ? turns.current.onAfter : undefined;
      if (!turn) return;
      event.preventDefault();
      turn();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

const PLACE = { waiting: <PreviewSkeleton />, fills: "place", isLarge: true } as const;
const PdfPreview = later(async () => (await import("./PdfPreview")).PdfPreview, PLACE);
const MarkdownPreview = later(async () => (await import("./MarkdownPreview")).MarkdownPreview, PLACE);
const TextPreview = later(async () => (await import("./TextPreview")).TextPreview, PLACE);
const TextEditor = later(() => withPageTexts(async () => (await import("~/editor/TextEditor")).TextEditor), PLACE);

type PreviewBodyProps = {
  path: string;
  entry: Entry | undefined;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
};

/** The file, as its kind is shown. */
export function PreviewBody({ path, entry, isEdited, onEdit }: PreviewBodyProps) {
  if (isEdited) return <TextEditor path={path} onDone={() => onEdit(false)} />;
  return <Shown path={path} entry={entry} />;
}

function Shown({ path, entry }: Pick<PreviewBodyProps, "path" | "entry">) {
  const kind = previewKind(nameOf(path));
  switch (kind) {
    case "picture":
      return <PicturePreview path={path} version={entry?.modifiedAt ?? ""} />;
    case "video":
    case "audio":
      return <MediaPreview path={path} kind={kind} />;
    case "pdf":
      return <PdfPreview path={path} />;
    case "markdown":
      return <MarkdownPreview path={path} />;
    case "text":
      return <TextPreview path={path} />;
    default:
      return <NoPreview />;
  }
}

type MediaPreviewProps = { path: string; kind: "video" | "audio" };

/** A player, which asks the server for the parts that it needs. */
function MediaPreview({ path, kind: Player }: MediaPreviewProps) {
  const { t } = useMessages();
  const [hasFailed, setFailed] = useState(false);
  // React drops error events from before the player is mounted.
  const lookAgain = (player: HTMLMediaElement | null) => {
    if (player?.error) setFailed(true);
  };
  if (hasFailed) return <NoPreview reason={t("preview.notPlayable")} />;
  return (
    <div className={previewBodyStyles.media}>
      <Player
        ref={lookAgain}
        className={styles[Player]}
        src={contentAddress(path)}
        aria-label={nameOf(path)}
        controls
        playsInline
        preload="metadata"
        onError={() => setFailed(true)}
      />
    </div>
  );
}

type PicturePreviewProps = { path: string; version: string };

/**
 * A picture: as it is, else the server's smaller one, for kinds that the browser does not know. A drawing in an `img`
 * runs no script.
 */
function PicturePreview({ path, version }: PicturePreviewProps) {
  const { t } = useMessages();
  const [isActualSize, setActualSize] = useState(false);
  const sources = [contentAddress(path), thumbnailAddress(path, 1024, version)];
  const [failures, setFailures] = useState(0);
  const source = sources[failures];
  if (source === undefined) return <NoPreview />;
  return (
    <div className={previewBodyStyles.stage}>
      <div
        className={previewBodyStyles.picture}
        data-actual={isActualSize || undefined}
        tabIndex={isActualSize ? 0 : undefined}
      >
        <img src={source} alt={nameOf(path)} onError={() => setFailures(failures + 1)} draggable={false} />
      </div>
      <ToggleButton className={previewBodyStyles.zoom ?? ""} isSelected={isActualSize} onChange={setActualSize}>
        {t("preview.actualSize")}
      </ToggleButton>
    </div>
  );
}
