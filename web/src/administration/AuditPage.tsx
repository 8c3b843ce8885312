import { Download, ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { MenuButton, MenuItem } from "~/controls/Menu";
import { Page } from "~/controls/Page";
import { RowName } from "~/controls/RowName";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { agentName } from "~/model/agent";
import {
  type AuditEvent,
  type AuditFilter,
  accountDetails,
  EVENTS,
  EVERYTHING,
  exportAddress,
  useAudit,
} from "./audit";
import { AccountFilter } from "./fields";

const idOf = ({ id }: AuditEvent) => id;
const nameOf = ({ event }: AuditEvent) => event;

function save(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

function columnsOf(t: Translate, formats: Formats): GridColumn<AuditEvent>[] {
  // Only what comes over the network has an address.
  const actorText = ({ actor, address }: AuditEvent) =>
    actor !== "" ? actor : t(address === "" ? "admin.commandLine" : "admin.notSignedIn");
  // Of a session they are what the client calls itself.
  const detailsText = ({ event, details }: AuditEvent) => {
    if (event.startsWith("session.") && details !== "") return agentName(details, t);
    return event.startsWith("account.") ? accountDetails(details, t, formats) : details;
  };
  return [
    {
      id: "event",
      title: t("admin.event"),
      wraps: true,
      cell: (one) => (
        <RowName
          icon={ScrollText}
          name={t(`audit.${one.event}`)}
          narrow={joined([one.subject, actorText(one), formats.dateTime(one.at), detailsText(one)].filter(Boolean))}
        />
      ),
    },
    {
      id: "subject",
      title: t("admin.subject"),
      width: 136,
      isWide: true,
      cell: ({ subject }) => <bdi>{subject}</bdi>,
    },
    {
      id: "actor",
      title: t("admin.actor"),
      width: 128,
      isWide: true,
      cell: (one) => <bdi>{actorText(one)}</bdi>,
    },
    {
      id: "details",
      title: t("admin.details"),
      isWide: true,
      cell: (one) => <bdi title={one.details}>{detailsText(one)}</bdi>,
    },
    { id: "address", title: t("admin.address"), width: 120, isWide: true, cell: ({ address }) => address },
    { id: "at", title: t("admin.time"), width: 208, isWide: true, cell: ({ at }) => formats.dateTime(at) },
  ];
}

/** The page of the audit log. */
export function AuditPage() {
  const { t, formats } = useMessages();
  const [filter, setFilter] = useState(EVERYTHING);
  const audit = useAudit(filter);
  const columns = useMemo(() => columnsOf(t, formats), [t, formats]);
  return (
    <Page
      title={t("admin.audit")}
      actions={
        <MenuButton label={t("admin.export")} button={<Button icon={Download}>{t("admin.export")}</Button>}>
          <MenuItem onAction={() => save(exportAddress(filter, "csv"))}>{t("admin.exportCsv")}</MenuItem>
          <MenuItem onAction={() => save(exportAddress(filter, "jsonl"))}>{t("admin.exportJsonl")}</MenuItem>
        </MenuButton>
      }
      toolbar={<AuditFilters filter={filter} onChange={setFilter} />}
    >
      <ListState list={audit} empty={<EmptyState icon={ScrollText} title={t("admin.noEvents")} />}>
        <DataGrid label={t("admin.audit")} columns={columns} items={audit.items} idOf={idOf} nameOf={nameOf} />
      </ListState>
    </Page>
  );
}

type Props = { filter: AuditFilter; onChange: (filter: AuditFilter) => void };

/** The filters of the log, which hold for the export too. */
function AuditFilters({ filter, onChange }: Props) {
  const { t } = useMessages();
  const change = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  return (
    <AccountFilter account={filter.account} onChange={(account) => change({ account })}>
      <SelectField
        label={t("admin.event")}
        value={filter.event}
        choices={[
          { value: "", text: t("admin.allEvents") },
          ...EVENTS.map((value) => ({ value, text: t(`audit.${value}`) })),
        ]}
        onChange={(event) => change({ event })}
      />
      <TextField label={t("admin.from")} type="date" value={filter.first} onChange={(first) => change({ first })} />
      <TextField label={t("admin.until")} type="date" value={filter.last} onChange={(last) => change({ last })} />
    </AccountFilter>
  );
}
