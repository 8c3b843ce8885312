import { queryOptions, useQuery } from "@tanstack/react-query";
import { ChevronRight, Folder } from "lucide-react";
import { createContext, useContext, useState } from "react";
import type { Key } from "react-aria-components";
import { Button } from "react-aria-components/Button";
import { Tree, TreeItem, TreeItemContent } from "react-aria-components/Tree";
import { answerOf, v2 } from "~/api/client";
import { pagesOf } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import styles from "~/controls/Tree.module.css";
import { shownLanguage, useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { FileIcon } from "~/model/FileIcon";
import { ancestors } from "~/model/path";

/** The root's path is empty, which no key may be. */
const ROOT = "/";

type Forbids = (path: string, readOnly: boolean) => boolean;
const Branches = createContext<{ expanded: ReadonlySet<Key>; forbids: Forbids; chosen: string }>({
  expanded: new Set(),
  forbids: () => false,
  chosen: "",
});

type Props = {
  chosen: string;
  onChoose: (path: string) => void;
  /** True for a folder that cannot be chosen. */
  forbids: Forbids;
};

/** Folders of all locations; what is in one is fetched when it is opened. */
export function FolderTree({ chosen, onChoose, forbids }: Props) {
  const { t } = useMessages();
  const [expanded, setExpanded] = useState<Set<Key>>(() => new Set([ROOT, ...ancestors(chosen)]));
  // Opens the folders above a selection that was made elsewhere.
  const [known, setKnown] = useState(chosen);
  if (known !== chosen) {
    setKnown(chosen);
    setExpanded(new Set([...expanded, ...ancestors(chosen)]));
  }
  return (
    <Branches value={{ expanded, forbids, chosen }}>
      <Tree
        className={styles.tree ?? ""}
        aria-label={t("files.choose")}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        disabledBehavior="selection"
        selectedKeys={[chosen || ROOT]}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : keys;
          if (typeof key === "string") onChoose(key === ROOT ? "" : key);
        }}
        expandedKeys={expanded}
        onExpandedChange={setExpanded}
      >
        <Branch path="" name={t("locations.own")} entry={null} />
      </Tree>
    </Branches>
  );
}

const intoSight = (row: Element | null) => row?.scrollIntoView({ block: "nearest" });

function Branch({ path, name, entry }: { path: string; name: string; entry: Entry | null }) {
  const { expanded, forbids, chosen } = useContext(Branches);
  const id = path || ROOT;
  const { data: folders } = useQuery({ ...subfoldersQuery(path), enabled: expanded.has(id) });
  const hasChildItems = folders === undefined || folders.length > 0;
  return (
    <TreeItem
      className={styles.item ?? ""}
      id={id}
      ref={path !== "" && path === chosen ? intoSight : null}
      textValue={name}
      isDisabled={forbids(path, entry?.readOnly ?? false)}
    >
      <TreeItemContent>
        <Button slot="chevron" className={styles.chevron ?? ""} data-hidden={!hasChildItems || undefined}>
          <ChevronRight size={16} aria-hidden />
        </Button>
        {entry ? <FileIcon entry={entry} /> : <Folder size={20} strokeWidth={1.6} aria-hidden />}
        <span className={styles.name}>
          <bdi>{name}</bdi>
        </span>
      </TreeItemContent>
      {/* A folder that is not loaded has a placeholder child, so that keys can open it. */}
      {folders === undefined && <Waiting id={`${id}//`} />}
      {folders?.map((folder) => (
        <Branch key={folder.path} path={folder.path} name={folder.name} entry={folder} />
      ))}
    </TreeItem>
  );
}

function Waiting({ id }: { id: string }) {
  const { t } = useMessages();
  return (
    <TreeItem className={styles.item ?? ""} id={id} textValue={t("files.loading")} isDisabled>
      <TreeItemContent>
        <span className={styles.waiting}>{t("files.loading")}</span>
      </TreeItemContent>
    </TreeItem>
  );
}

const PAGE = 10_000;

/** The folders in a folder. The server lists them before all files, so that the first file ends the list. */
function subfoldersQuery(path: string) {
  const order = { language: shownLanguage() };
  return queryOptions({
    queryKey: keys.subfolders(path, order),
    queryFn: async ({ signal }): Promise<Entry[]> => {
      const folders: Entry[] = [];
      const pages = pagesOf(
        (page) =>
          answerOf(v2.GET("/api/v2/files", { params: { query: { path, ...order, limit: PAGE, ...page } }, signal })),
        signal,
      );
      for await (const { entries } of pages) {
        folders.push(...entries.filter(({ isDirectory }) => isDirectory));
        if (entries.some(({ isDirectory }) => !isDirectory)) break;
      }
      return folders;
    },
  });
}
