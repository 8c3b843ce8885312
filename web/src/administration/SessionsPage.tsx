import { useQueryClient } from "@tanstack/react-query";
import { LogOut, Monitor } from "lucide-react";
import { useMemo, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { changeList } from "~/api/cursor-list";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { showToast } from "~/controls/toast-store";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { agentName } from "~/model/agent";
import { AccountFilter } from "./fields";
import { type ManagedSession, useAllSessions } from "./queries";

const SESSIONS = ["admin", "sessions"];
const idOf = ({ id }: ManagedSession) => id;
const nameOf = ({ userName }: ManagedSession) => userName;

function columnsOf(
  t: Translate,
  formats: Formats,
  end: (session: ManagedSession) => void,
): GridColumn<ManagedSession>[] {
  return [
    {
      id: "account",
      title: t("admin.account"),
      cell: (one) => (
        <RowName icon={Monitor} name={one.userName} narrow={joined([one.address, formats.dateTime(one.lastSeenAt)])}>
          {one.current && <Mark>{t("admin.thisSession")}</Mark>}
        </RowName>
      ),
    },
    { id: "address", title: t("admin.address"), width: 152, isWide: true, cell: ({ address }) => address },
    {
      id: "agent",
      title: t("admin.agent"),
      isWide: true,
      cell: ({ agent }) => (
        <span title={agent}>
          <bdi>{agentName(agent, t)}</bdi>
        </span>
      ),
    },
    {
      id: "made",
      title: t("admin.signedInAt"),
      width: 200,
      isWide: true,
      cell: ({ createdAt }) => formats.dateTime(createdAt),
    },
    {
      id: "seen",
      title: t("admin.lastSeen"),
      width: 200,
      isWide: true,
      cell: ({ lastSeenAt }) => formats.dateTime(lastSeenAt),
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (one) => (
        <Button look="quiet" icon={LogOut} iconOnly onPress={() => end(one)}>
          {t("admin.endSession", { name: one.userName })}
        </Button>
      ),
    },
  ];
}

/** Where people are signed in. */
export function AllSessionsPage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const [account, setAccount] = useState("");
  const sessions = useAllSessions(account);
  const columns = useMemo(() => {
    const end = async ({ id, userName }: ManagedSession) => {
      const undo = changeList<ManagedSession>(client, SESSIONS, (all) => all.filter((one) => one.id !== id));
      try {
        await answerOf(v2.DELETE("/api/v2/admin/sessions/{id}", { params: { path: { id } } }));
        showToast({ text: t("admin.sessionEnded", { name: userName }) });
      } catch (error) {
        undo();
        showToast({ text: t(sentenceKey(error)), tone: "danger" });
      }
      await client.invalidateQueries({ queryKey: SESSIONS });
    };
    return columnsOf(t, formats, (session) => void end(session));
  }, [t, formats, client]);
  return (
    <Page title={t("admin.sessions")} toolbar={<AccountFilter account={account} onChange={setAccount} />}>
      <ListState list={sessions} empty={<EmptyState icon={Monitor} title={t("admin.noSessions")} />}>
        <DataGrid label={t("admin.sessions")} columns={columns} items={sessions.items} idOf={idOf} nameOf={nameOf} />
      </ListState>
    </Page>
  );
}
