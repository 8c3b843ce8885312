import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { AccountFilter } from "./AccountFilter";
import { type AuditFilter, EVENTS } from "./audit-query";

type Props = { filter: AuditFilter; onChange: (filter: AuditFilter) => void };

/** What of the log is shown, and exported. */
export function AuditFilters({ filter, onChange }: Props) {
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
