import { useQuery } from "@tanstack/react-query";
import { Cell, Column, Row, Table, TableBody, TableHeader } from "react-aria-components/Table";
import { Button } from "~/controls/Button";
import { useNarrow } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import { locationsQuery, partsOf } from "~/model/locations";
import styles from "./KeyGrid.module.css";
import type { ApiKey } from "./query";
import { hasEnded } from "./query";

type Props = { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void };

/** The keys, one a row. On a small page all that is said of one stands below its name. */
export function KeyGrid({ keys, onRevoke }: Props) {
  const { t } = useMessages();
  const isNarrow = useNarrow();
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    <Table className={styles.grid ?? ""} aria-label={t("keys.title")} key={String(isNarrow)}>
      <TableHeader>
        <Column isRowHeader>{t("keys.name")}</Column>
        {!isNarrow && (
          <>
            <Column>{t("keys.folder")}</Column>
            <Column>{t("keys.access")}</Column>
            <Column>{t("keys.lastUse")}</Column>
            <Column>{t("keys.ends")}</Column>
          </>
        )}
        <Column>
          <span className="hidden-text">{t("keys.actions")}</span>
        </Column>
      </TableHeader>
      <TableBody>
        {keys.map((key) => (
          <Row key={key.id} id={key.id} className={styles.row ?? ""} textValue={key.name}>
            <Cell textValue={key.name}>
              <Name apiKey={key} names={names} hasMoment={!isNarrow} />
              {isNarrow && <Details apiKey={key} />}
            </Cell>
            {!isNarrow && (
              <>
                <Cell>
                  <Folder folder={key.folder} />
                </Cell>
                <Cell>{t(`keys.${key.access}`)}</Cell>
                <Cell>
                  <LastUse at={key.lastUsedAt} />
                </Cell>
                <Cell>
                  <Ends at={key.expiresAt} />
                </Cell>
              </>
            )}
            <Cell>
              <Button onPress={() => onRevoke(key)}>{t("keys.revoke")}</Button>
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

type NameProps = { apiKey: ApiKey; names: ReadonlyMap<string, string>; hasMoment: boolean };

function Name({ apiKey, names, hasMoment }: NameProps) {
  const { t, formats } = useMessages();
  const [maker] = apiKey.makers;
  return (
    <>
      <bdi className={styles.name}>{apiKey.name}</bdi>
      <span className={styles.small}>
        <bdi className={styles.preview}>{apiKey.preview}</bdi>{" "}
        {hasMoment && t("keys.madeAt", { at: formats.dateTime(apiKey.createdAt) })}
      </span>
      {maker !== undefined && <Maker name={names.get(maker)} />}
    </>
  );
}

function Details({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useMessages();
  return (
    <>
      <span className={styles.small}>
        <Folder folder={apiKey.folder} /> · {t(`keys.${apiKey.access}`)}
      </span>
      <span className={styles.small}>
        {t("keys.lastUse")}: <LastUse at={apiKey.lastUsedAt} />
      </span>
      <span className={styles.small}>
        {t("keys.ends")}: <Ends at={apiKey.expiresAt} />
      </span>
    </>
  );
}

/** The folder that a key is limited to. */
export function Folder({ folder }: { folder: string | null }) {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  if (folder === null) return <span className={styles.soft}>{t("keys.everything")}</span>;
  return <bdi>{partsOf(folder, locations).join("/")}</bdi>;
}

/** With which key it was made; its name, where it is not revoked. */
function Maker({ name }: { name: string | undefined }) {
  const { t } = useMessages();
  return (
    <span className={styles.small}>
      <bdi>{name === undefined ? t("keys.madeWithRevoked") : t("keys.madeWith", { name })}</bdi>
    </span>
  );
}

function LastUse({ at }: { at: string | null }) {
  const { t, formats } = useMessages();
  return at === null ? <span className={styles.soft}>{t("keys.unused")}</span> : formats.dateTime(at);
}

export function Ends({ at }: { at: string | null }) {
  const { t, formats } = useMessages();
  if (at === null) return <span className={styles.soft}>{t("keys.never")}</span>;
  if (hasEnded(at)) return <span className={styles.ended}>{t("keys.ended", { at: formats.dateTime(at) })}</span>;
  return formats.dateTime(at);
}
