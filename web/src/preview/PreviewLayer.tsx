import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { later } from "~/controls/later";
import { withPageTexts } from "~/messages";
import type { Entry } from "~/model/entries";
import { previewName, previewPath, useFilesSearch } from "~/model/folder-address";

const PreviewDialog = later(() => withPageTexts(async () => (await import("./PreviewDialog")).PreviewDialog));

type Props = {
  folder: string;
  /** The listed entries, in their order: "previous" and "next" go through the files among them. */
  entries: readonly Entry[];
  /** Called with the path of the last that was shown. */
  onClose: (path: string) => void;
};

/** Shows the preview or the editor that the address asks for. */
export function PreviewLayer({ folder, entries, onClose }: Props) {
  const router = useRouter();
  const { preview, edit = false } = useFilesSearch();
  const files = useMemo(
    () => (preview === undefined ? [] : entries.filter(({ isDirectory }) => !isDirectory)),
    [entries, preview],
  );
  if (preview === undefined) return null;
  const path = previewPath(folder, preview);
  // To another file in place of this one, so that "back" leads out of the preview.
  const show = (next: string) => {
    const name = previewName(folder, next);
    void router.navigate({ to: ".", search: (old) => ({ ...old, preview: name }), replace: true });
  };
  const setEdit = (isEdited: boolean) => {
    void router.navigate({ to: ".", search: (old) => ({ ...old, edit: isEdited || undefined }) });
  };
  const close = async () => {
    await router.navigate({ to: ".", search: (old) => ({ ...old, preview: undefined, edit: undefined }) });
    onClose(path);
  };
  return (
    <PreviewDialog
      path={path}
      files={files}
      isEdited={edit}
      onShow={show}
      onEdit={setEdit}
      onClose={() => void close()}
    />
  );
}
