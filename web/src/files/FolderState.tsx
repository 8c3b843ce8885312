import { Link } from "@tanstack/react-router";
import { CircleAlert, FolderOpen, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { folderLink } from "~/locations";
import { useMessages } from "~/messages";
import { FolderSkeleton } from "./FolderSkeleton";
import type { FileCommands } from "./useFileCommands";
import type { Folder } from "./useFolder";

type Props = {
  folder: Folder;
  filter: string;
  isSearching: boolean;
  count: number;
  commands: FileCommands;
  children: ReactNode;
};

/** The list, or what stands in its place. */
export function FolderState({ folder, filter, isSearching, count, commands, children }: Props) {
  const { t } = useMessages();
  if (folder.isPending) return <FolderSkeleton />;
  if (folder.error && folder.entries.length === 0) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(folder.error))}>
        <Button onPress={folder.reload}>{t("app.retry")}</Button>
        <Link {...folderLink("")}>{t("app.toFiles")}</Link>
      </EmptyState>
    );
  }
  if (count > 0) return children;
  if (isSearching) return <FolderSkeleton />;
  if (filter !== "") return <EmptyState icon={SearchX} title={t("files.noMatch", { text: filter })} />;
  if (!commands.canAdd) {
    return <EmptyState icon={FolderOpen} title={t("files.empty")} hint={t("files.emptyReadOnly")} />;
  }
  return (
    <EmptyState icon={FolderOpen} title={t("files.empty")} hint={t("files.emptyHint")}>
      <Button onPress={() => commands.openDialog({ kind: "newFolder" })}>{t("files.newFolder")}</Button>
    </EmptyState>
  );
}
