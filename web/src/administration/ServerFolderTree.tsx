import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Folder } from "lucide-react";
import { createContext, useContext, useState } from "react";
import type { Key } from "react-aria-components";
import { Button } from "react-aria-components/Button";
import { Tree, TreeItem, TreeItemContent } from "react-aria-components/Tree";
import { sentenceKey } from "~/api/problem";
import tree from "~/controls/Tree.module.css";
import { useMessages } from "~/messages";
import { NoShareRoots } from "./NoShareRoots";
import { type FolderChoice, serverFoldersQuery } from "./queries";
import styles from "./ServerFolderTree.module.css";

const Expanded = createContext<ReadonlySet<Key>>(new Set());

/** So often folders are looked for where there are none. */
const LOOK_MS = 3_000;

type Props = { chosen: string; onChoose: (path: string) => void };

/** The server's own folders beneath those that may be shared; what is in one is fetched when it is opened. */
export function ServerFolderTree({ chosen, onChoose }: Props) {
  const { t } = useMessages();
  const { data: roots, error } = useQuery({
    ...serverFoldersQuery(null),
    // The settings file may name some meanwhile.
    refetchInterval: ({ state }) => (state.data?.length === 0 ? LOOK_MS : false),
  });
  const [expanded, setExpanded] = useState<Set<Key>>(new Set());
  if (roots?.length === 0) return <NoShareRoots />;
  if (error) return <p className={styles.problem}>{t(sentenceKey(error))}</p>;
  return (
    <Expanded value={expanded}>
      <Tree
        className={`${tree.tree} ${styles.tree}`}
        aria-label={t("files.choose")}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={chosen === "" ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : keys;
          if (typeof key === "string") onChoose(key);
        }}
        expandedKeys={expanded}
        onExpandedChange={setExpanded}
      >
        {(roots ?? []).map((root) => (
          <Branch key={root.path} folder={root} />
        ))}
      </Tree>
    </Expanded>
  );
}

function Branch({ folder }: { folder: FolderChoice }) {
  const isExpanded = useContext(Expanded).has(folder.path);
  const { data: folders } = useQuery({ ...serverFoldersQuery(folder.path), enabled: isExpanded });
  const hasChildItems = folders === undefined || folders.length > 0;
  return (
    <TreeItem className={tree.item ?? ""} id={folder.path} textValue={folder.name}>
      <TreeItemContent>
        <Button slot="chevron" className={tree.chevron ?? ""} data-hidden={!hasChildItems || undefined}>
          <ChevronRight size={16} aria-hidden />
        </Button>
        <Folder size={20} strokeWidth={1.6} aria-hidden />
        <span className={tree.name}>
          <bdi>{folder.name}</bdi>
        </span>
      </TreeItemContent>
      {/* A folder that is not loaded has a placeholder child, so that keys can open it. */}
      {folders === undefined && <Waiting id={`${folder.path}//`} />}
      {folders?.map((one) => (
        <Branch key={one.path} folder={one} />
      ))}
    </TreeItem>
  );
}

function Waiting({ id }: { id: string }) {
  const { t } = useMessages();
  return (
    <TreeItem className={tree.item ?? ""} id={id} textValue={t("list.loading")} isDisabled>
      <TreeItemContent>
        <span className={tree.waiting}>{t("list.loading")}</span>
      </TreeItemContent>
    </TreeItem>
  );
}
