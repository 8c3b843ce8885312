import { useQueryClient } from "@tanstack/react-query";
import { CircleX, File } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { hasCode } from "~/api/problem";
import { refreshSoon } from "~/api/refresh";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { ListState } from "~/controls/ListState";
import { RowName } from "~/controls/RowName";
import { showToast } from "~/controls/toast-store";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { type Location, partsOf } from "~/model/locations";
import styles from "./UploadsUnderWay.module.css";

type UnfinishedUpload = Schemas["Upload"];

/** So often they are looked at again: no event tells of each part of an upload. */
const LOOK_MS = 3_000;

const idOf = ({ id }: UnfinishedUpload) => id;

/** Who began it, and from where. */
function whoBegan({ linkId, keyId, address }: UnfinishedUpload, t: Translate): string {
  if (linkId !== null) return t("unfinished.byGuest", { address });
  return keyId === null ? t("unfinished.byYou", { address }) : t("unfinished.byKey", { address });
}

function columnsOf(
  t: Translate,
  formats: Formats,
  pathOf: (upload: UnfinishedUpload) => string,
  end: (upload: UnfinishedUpload) => void,
): GridColumn<UnfinishedUpload>[] {
  const progressOf = ({ received, size }: UnfinishedUpload) =>
    t("uploads.doneOf", { done: formats.size(received), total: formats.size(size) });
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (upload) => (
        <RowName
          icon={File}
          isFolder={false}
          name={pathOf(upload)}
          narrow={joined([progressOf(upload), whoBegan(upload, t)])}
        />
      ),
    },
    { id: "who", title: t("unfinished.begunBy"), isWide: true, cell: (upload) => whoBegan(upload, t) },
    {
      id: "since",
      title: t("unfinished.since"),
      width: 200,
      isWide: true,
      cell: (one) => formats.dateTime(one.startedAt),
    },
    { id: "progress", title: t("unfinished.received"), width: 200, isWide: true, cell: progressOf },
    {
      id: "actions",
      title: t("files.actions"),
      width: 64,
      isForButtons: true,
      cell: (upload) => (
        <Button look="quiet" icon={CircleX} iconOnly onPress={() => end(upload)}>
          {t("unfinished.end")}
        </Button>
      ),
    },
  ];
}

/** The uploads into the account's files that are not finished, also of guests; nothing if there are none. */
export function UploadsUnderWay({ locations }: { locations: Location[] }) {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const list = useCursorList(keys.unfinishedUploads, (query, signal) =>
    answerOf(v2.GET("/api/v2/uploads", { params: { query }, signal })),
  );
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") refreshSoon(client, keys.unfinishedUploads);
    };
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [client]);
  const [ending, setEnding] = useState<UnfinishedUpload | null>(null);
  const columns = useMemo(
    () => columnsOf(t, formats, ({ path }) => partsOf(path, locations).join("/"), setEnding),
    [t, formats, locations],
  );
  const isEmpty = list.items.length === 0 && (!list.error || hasCode(list.error, "offline"));
  if (isEmpty && ending === null) return null;
  const nameOf = ({ path }: UnfinishedUpload) => partsOf(path, locations).at(-1) ?? "";
  const end = async ({ id }: UnfinishedUpload) => {
    const header = { "Tus-Resumable": "1.0.0" } as const;
    await answerOf(v2.DELETE("/api/v2/uploads/{id}", { params: { path: { id }, header } }));
    await client.invalidateQueries({ queryKey: keys.unfinishedUploads });
    showToast({ text: t("unfinished.ended") });
  };
  return (
    <section className={styles.section} aria-labelledby="unfinished-uploads">
      <h2 id="unfinished-uploads">{t("unfinished.title")}</h2>
      <ListState list={list} empty={null}>
        <DataGrid label={t("unfinished.title")} columns={columns} items={list.items} idOf={idOf} nameOf={nameOf} />
      </ListState>
      {ending && (
        <FormDialog
          isDanger
          title={t("unfinished.endTitle")}
          submit={t("unfinished.end")}
          onClose={() => setEnding(null)}
          onSubmit={() => end(ending)}
        >
          <p>{t("unfinished.endText", { name: nameOf(ending) })}</p>
        </FormDialog>
      )}
    </section>
  );
}
