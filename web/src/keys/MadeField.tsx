import { useQuery } from "@tanstack/react-query";
import { CheckField } from "~/controls/CheckField";
import { linksQuery } from "~/links";
import { locationsQuery } from "~/locations";
import { joined, useMessages } from "~/messages";
import { folderName } from "./folder-name";
import { allMadeWith } from "./made-with";
import type { ApiKey } from "./query";

const MOST_NAMES = 10;

type Props = {
  apiKey: ApiKey;
  /** Whose chain can end: the key, or the one that it was made with. */
  root: string;
  all: readonly ApiKey[];
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

/** Whether what else was made with the root is to end too; nothing if that is known to be nothing. */
export function MadeField({ apiKey: { id }, root, all, isChecked, onChange }: Props) {
  const { t } = useMessages();
  const { data: links = [], isError } = useQuery(linksQuery);
  const { data: locations = [] } = useQuery(locationsQuery);
  const made = allMadeWith(root, { keys: all, links });
  const names = [
    ...made.keys.filter((key) => key.id !== id).map(({ name }) => name),
    ...made.links.map(({ path }) => folderName(path, locations)),
  ];
  if (names.length === 0 && !isError) return null;
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), "…"] : names;
  const label = root === id ? t("keys.endMade") : t("keys.endKin");
  return <CheckField label={label} hint={joined(shown)} isChecked={isChecked} onChange={onChange} />;
}
