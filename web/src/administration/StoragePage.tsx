import { useQuery } from "@tanstack/react-query";
import { CircleUser, HardDrive } from "lucide-react";
import { wholeList } from "~/api/cursor-list";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Meter, NEARLY_FULL } from "~/controls/Meter";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { allAccountsQuery, type ManagedAccount, serverQuery } from "./queries";
import styles from "./StoragePage.module.css";
import { byUse, shareOf, sumOf } from "./storage";

const idOf = ({ userName }: ManagedAccount) => userName;

function columnsOf(t: Translate, formats: Formats): GridColumn<ManagedAccount>[] {
  const limitText = ({ storageLimit }: ManagedAccount) =>
    storageLimit > 0 ? formats.size(storageLimit) : t("admin.unlimited");
  return [
    {
      id: "name",
      title: t("admin.account"),
      cell: (one) => (
        <RowName icon={CircleUser} name={one.userName} narrow={limitText(one)}>
          {shareOf(one) >= NEARLY_FULL && <Mark tone="danger">{t("admin.nearlyFull")}</Mark>}
        </RowName>
      ),
    },
    {
      id: "bar",
      title: t("admin.share"),
      isWide: true,
      cell: (one) => one.storageLimit > 0 && <Meter share={shareOf(one)} />,
    },
    { id: "used", title: t("admin.used"), width: 104, align: "end", cell: (one) => formats.size(one.storageUsed) },
    { id: "limit", title: t("admin.quota"), width: 112, align: "end", isWide: true, cell: limitText },
  ];
}

/** What the disks of the data folder and of the folders that may be shared have left. */
function Disks() {
  const { t, formats } = useMessages();
  const { data: server } = useQuery(serverQuery);
  if (!server) return null;
  return (
    <section aria-label={t("admin.disks")}>
      <dl className={styles.facts}>
        {server.disks.map(({ path, data, freeBytes, totalBytes }) => (
          <div key={`${data} ${path}`} className={styles.fact} title={path}>
            <dt>{data ? t("admin.dataDisk") : <bdi>{path}</bdi>}</dt>
            <dd>
              {freeBytes === null || totalBytes === null
                ? t("admin.roomUnknown")
                : t("admin.freeOf", { free: formats.size(freeBytes), total: formats.size(totalBytes) })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The page of each account's storage. */
export function StoragePage() {
  const { t, formats } = useMessages();
  const query = useQuery(allAccountsQuery);
  const accounts = byUse(query.data ?? []);
  const sum = sumOf(accounts);
  const columns = columnsOf(t, formats);
  const facts = [
    [t("admin.usedAltogether"), formats.size(sum.used)],
    [
      t("admin.promised"),
      joined([
        ...(sum.limit > 0 || sum.unlimited === 0 ? [formats.size(sum.limit)] : []),
        ...(sum.unlimited > 0 ? [t("admin.unlimitedCount", { count: sum.unlimited })] : []),
      ]),
    ],
    [t("admin.nearlyFull"), formats.numberText(sum.nearlyFull)],
    [t("admin.accounts"), formats.numberText(accounts.length)],
  ] as const;
  return (
    <Page
      title={t("admin.storage")}
      toolbar={
        query.data && (
          <>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <div key={name} className={styles.fact}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Disks />
          </>
        )
      }
    >
      <ListState list={wholeList(query)} empty={<EmptyState icon={HardDrive} title={t("admin.noAccounts")} />}>
        <DataGrid label={t("admin.storage")} columns={columns} items={accounts} idOf={idOf} nameOf={idOf} />
      </ListState>
    </Page>
  );
}
