import { lazy, Suspense } from "react";
import { type Entry, nameOf } from "~/files";
import { previewKind } from "./kind";
import { MediaPreview } from "./MediaPreview";
import { NoPreview } from "./NoPreview";
import { PicturePreview } from "./PicturePreview";
import { PreviewSkeleton } from "./PreviewSkeleton";

const PdfPreview = lazy(async () => ({ default: (await import("./PdfPreview")).PdfPreview }));
const MarkdownPreview = lazy(async () => ({ default: (await import("./MarkdownPreview")).MarkdownPreview }));
const TextPreview = lazy(async () => ({ default: (await import("./TextPreview")).TextPreview }));
const TextEditor = lazy(async () => ({ default: (await import("~/editor/TextEditor")).TextEditor }));

type Props = { path: string; entry: Entry | undefined; isEdited: boolean; onEdit: (isEdited: boolean) => void };

/** The file, as its kind is shown. */
export function PreviewBody({ path, entry, isEdited, onEdit }: Props) {
  return (
    <Suspense fallback={<PreviewSkeleton />}>
      {isEdited ? <TextEditor path={path} onDone={() => onEdit(false)} /> : <Shown path={path} entry={entry} />}
    </Suspense>
  );
}

function Shown({ path, entry }: Pick<Props, "path" | "entry">) {
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
