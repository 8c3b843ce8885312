import { Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useMessages } from "~/messages";
import { useFolderName } from "~/model/locations";
import { at } from "~/platform/base";
import { type Chosen, chosenByDrop, chosenByInput } from "./chosen";
import styles from "./DropArea.module.css";

type Props = { folder: string; onDrop: (chosen: Chosen | Promise<Chosen>, folder: string) => void };

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}

/** Takes what is dropped anywhere on the page, or pasted; says where it would go. */
export function DropArea({ folder, onDrop }: Props) {
  const { t } = useMessages();
  const folderName = useFolderName();
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
      setTarget(folderAt(event.target as Element | null, folder));
    };
    const leave = (event: DragEvent) => {
      // Only what leaves the page has nothing that it goes to.
      if (event.relatedTarget === null) setTarget(null);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setTarget(null);
      onDrop(chosenByDrop(event.dataTransfer.items), folderAt(event.target as Element | null, folder));
    };
    const paste = ({ clipboardData, target: field }: ClipboardEvent) => {
      if (clipboardData && clipboardData.files.length > 0 && !isField(field)) {
        onDrop(chosenByInput(clipboardData.files), folder);
      }
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
      window.removeEventListener("paste", paste);
    };
  }, [folder, onDrop]);
  if (target === null) return null;
  const text = t("uploads.drop", { folder: folderName(target) });
  return createPortal(
    <div className={styles.area}>
      <p className={styles.note}>
        <Upload size={20} aria-hidden />
        {text}
      </p>
    </div>,
    document.body,
  );
}

const FILES = at("/files");

/** The folder that something is dropped on: a row of one, a link to one, else the one that is open. */
export function folderAt(element: Element | null, open: string): string {
  const row = element?.closest<HTMLElement>("[data-folder]");
  if (row?.dataset.folder !== undefined) return row.dataset.folder;
  const link = element?.closest("a");
  if (!link || (link.pathname !== FILES && !link.pathname.startsWith(`${FILES}/`))) return open;
  return link.pathname.slice(FILES.length).split("/").filter(Boolean).map(decodeURIComponent).join("/");
}
