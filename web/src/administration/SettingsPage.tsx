import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useMemo } from "react";
import { wholeList } from "~/api/cursor-list";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { type Formats, joined, type Key, type Translate, useMessages } from "~/messages";
import { type Setting, serverQuery, settingsQuery } from "./queries";
import styles from "./SettingsPage.module.css";
import { settingText } from "./setting-text";

const idOf = ({ key }: Setting) => key;

const ORIGINS: Record<Setting["origin"], Key & `admin.origin${string}`> = {
  default: "admin.originDefault",
  file: "admin.originFile",
  environment: "admin.originEnvironment",
  "command line": "admin.originCommandLine",
};

function columnsOf(t: Translate, formats: Formats): GridColumn<Setting>[] {
  const valueText = (setting: Setting) => settingText(t, formats, setting);
  return [
    {
      id: "key",
      title: t("admin.setting"),
      wraps: true,
      cell: (one) => (
        <RowName icon={SlidersHorizontal} name={one.key} narrow={valueText(one)}>
          {one.origin !== "default" && <Mark>{t("admin.changed")}</Mark>}
          {one.waits && <Mark tone="danger">{t("admin.waits")}</Mark>}
        </RowName>
      ),
    },
    {
      id: "value",
      title: t("admin.value"),
      width: 168,
      isWide: true,
      cell: (one) => <bdi>{valueText(one)}</bdi>,
    },
    { id: "origin", title: t("admin.origin"), width: 136, isWide: true, cell: ({ origin }) => t(ORIGINS[origin]) },
    { id: "help", title: t("admin.meaning"), isWide: true, cell: ({ help }) => <bdi>{help}</bdi> },
  ];
}

/** Says where the settings file is, what of it needs a restart, and whether it is wrong. */
function FileNotice({ settings }: { settings: readonly Setting[] }) {
  const { t } = useMessages();
  const { data: server } = useQuery(serverQuery);
  if (!server || settings.length === 0) return null;
  const { settingsFile: file, settingsProblem: problem } = server;
  const live = joined(settings.filter(({ live }) => live).map(({ key }) => key));
  return (
    <>
      <p className={styles.text}>{t("admin.settingsLive", { file, keys: live })}</p>
      {problem !== null && <p className={styles.notice}>{t("admin.settingsProblem", { problem })}</p>}
    </>
  );
}

/** Says that a proxy's clients cannot be told apart. */
function ProxyNotice() {
  const { t } = useMessages();
  const proxies = useQuery(serverQuery).data?.untrustedProxies ?? [];
  if (proxies.length === 0) return null;
  const addresses = joined(proxies.map(({ address }) => address));
  return <p className={styles.notice}>{t("admin.untrustedProxies", { addresses })}</p>;
}

/** So long before its end a certificate should have been renewed. */
const RENEWED_MS = 14 * 24 * 60 * 60 * 1000;

/** Says until when the server's certificate is good, and what is wrong with the next. */
function CertificateNotice() {
  const { t, formats } = useMessages();
  const certificate = useQuery(serverQuery).data?.certificate;
  if (!certificate) return null;
  const { expiresAt, problem } = certificate;
  const isLate = Date.parse(`${expiresAt}Z`) - Date.now() < RENEWED_MS;
  return (
    <>
      <p className={isLate ? styles.notice : styles.text}>
        {t("admin.certificateEnds", { at: formats.dateTime(expiresAt) })}
      </p>
      {problem !== null && <p className={styles.notice}>{t("admin.certificateProblem", { problem })}</p>}
    </>
  );
}

/** The settings in force; they are changed by whoever owns the machine. */
export function SettingsInForcePage() {
  const { t, formats, language } = useMessages();
  const query = useQuery(settingsQuery(language));
  const columns = useMemo(() => columnsOf(t, formats), [t, formats]);
  const settings = query.data ?? [];
  return (
    <Page
      title={t("admin.settings")}
      intro={t("admin.settingsIntro")}
      toolbar={
        <>
          <FileNotice settings={settings} />
          <ProxyNotice />
          <CertificateNotice />
        </>
      }
    >
      <ListState list={wholeList(query)} empty={<EmptyState icon={SlidersHorizontal} title={t("admin.settings")} />}>
        <DataGrid label={t("admin.settings")} columns={columns} items={settings} idOf={idOf} nameOf={idOf} />
      </ListState>
    </Page>
  );
}
