import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Cloud, type LucideIcon, Plus, Server } from "lucide-react";
import { useMemo, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { sentenceKey, toldText } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { later } from "~/controls/later";
import { MenuItem } from "~/controls/Menu";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { SelectField } from "~/controls/SelectField";
import { showToast } from "~/controls/toast-store";
import { joined, type Translate, useMessages } from "~/messages";
import { AccountFilter, RowMenu } from "./fields";
import { allAccountsQuery, type ManagedConnector, useAllConnectors } from "./queries";

const ICONS: Record<ManagedConnector["kind"], LucideIcon> = { ftp: Server, sftp: Server, drive: Cloud };
const idOf = ({ id }: ManagedConnector) => id;
const nameOf = ({ name }: ManagedConnector) => name;

type Commands = { remove: (connector: ManagedConnector) => void; toggle: (connector: ManagedConnector) => void };

function columnsOf(t: Translate, { remove, toggle }: Commands): GridColumn<ManagedConnector>[] {
  const healthText = ({ health }: ManagedConnector) =>
    health.state === "fails" && health.message !== ""
      ? toldText(t, t("admin.health.fails"), health.message)
      : t(`admin.health.${health.state}`);
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (one) => (
        <RowName icon={ICONS[one.kind]} name={one.name} narrow={joined([one.userName, healthText(one)])}>
          {one.readOnly && <Mark>{t("files.readOnly")}</Mark>}
          {one.health.state === "fails" && <Mark tone="danger">{t("admin.health.fails")}</Mark>}
        </RowName>
      ),
    },
    { id: "account", title: t("admin.account"), width: 144, isWide: true, cell: ({ userName }) => userName },
    { id: "target", title: t("admin.target"), isWide: true, cell: ({ target }) => <bdi>{target}</bdi> },
    {
      id: "health",
      title: t("admin.state"),
      isWide: true,
      cell: (one) => <span title={healthText(one)}>{healthText(one)}</span>,
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (one) => (
        <RowMenu name={one.name}>
          <MenuItem onAction={() => toggle(one)}>
            {t(one.readOnly ? "admin.makeWritable" : "admin.makeReadOnly")}
          </MenuItem>
          <MenuItem onAction={() => remove(one)}>{t("admin.removeConnector")}</MenuItem>
        </RowMenu>
      ),
    },
  ];
}

/** The servers and drives that accounts have mounted. */
export function AllConnectorsPage() {
  const { t } = useMessages();
  const client = useQueryClient();
  const [account, setAccount] = useState("");
  const connectors = useAllConnectors(account);
  const [removing, setRemoving] = useState<ManagedConnector | null>(null);
  const columns = useMemo(() => {
    const toggle = async ({ id, readOnly }: ManagedConnector) => {
      try {
        const params = { path: { id } };
        // Only this is changed: the server need not be reached for it.
        const body = { readOnly: !readOnly, test: false };
        await answerOf(v2.PATCH("/api/v2/admin/connectors/{id}", { params, body }));
        await client.invalidateQueries({ queryKey: keys.everyConnector });
      } catch (error) {
        showToast({ text: t(sentenceKey(error)), tone: "danger" });
      }
    };
    return columnsOf(t, { remove: setRemoving, toggle: (one) => void toggle(one) });
  }, [t, client]);
  const remove = async (id: string) => {
    await answerOf(v2.DELETE("/api/v2/admin/connectors/{id}", { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey: keys.everyConnector });
  };
  const empty = <EmptyState icon={Server} title={t("admin.noConnectors")} hint={t("admin.noConnectorsHint")} />;
  return (
    <Page
      title={t("admin.connectors")}
      actions={<AddConnector account={account} />}
      toolbar={<AccountFilter account={account} onChange={setAccount} />}
    >
      <ListState list={connectors} empty={empty}>
        <DataGrid
          label={t("admin.connectors")}
          columns={columns}
          items={connectors.items}
          idOf={idOf}
          nameOf={nameOf}
        />
      </ListState>
      {removing && (
        <FormDialog
          isDanger
          title={t("admin.removeTitle", { name: removing.name })}
          submit={t("admin.removeConnectorNow")}
          onSubmit={() => remove(removing.id)}
          onClose={() => setRemoving(null)}
        >
          <p>{t("admin.removeConnectorText", { name: removing.userName })}</p>
        </FormDialog>
      )}
    </Page>
  );
}

const Wizard = later(async () => (await import("~/connectors/Wizard")).Wizard);

type Step = { kind: "account"; userName: string } | { kind: "connector"; userName: string };

/** Mounts a server or drive for an account: asks for whom, and goes on as for one's own. */
export function AddConnector({ account }: { account: string }) {
  const { t } = useMessages();
  const { userName: own } = useAccount();
  const { data: accounts = [] } = useQuery(allAccountsQuery);
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  return (
    <>
      <Button look="primary" icon={Plus} onPress={() => setStep({ kind: "account", userName: account || own })}>
        {t("connectors.add")}
      </Button>
      {step?.kind === "account" && (
        <FormDialog
          title={t("connectors.add")}
          submit={t("admin.goOn")}
          onSubmit={async () => setStep({ kind: "connector", userName: step.userName })}
          // The next step stands in its place by then.
          onClose={() => setStep((now) => (now?.kind === "account" ? null : now))}
        >
          <SelectField
            label={t("admin.account")}
            hint={t("admin.connectorFor")}
            value={step.userName}
            choices={accounts.map(({ userName }) => ({ value: userName, text: userName }))}
            onChange={(userName) => setStep({ kind: "account", userName })}
          />
        </FormDialog>
      )}
      {step?.kind === "connector" && <Wizard connector={null} owner={step.userName} onClose={close} />}
    </>
  );
}
