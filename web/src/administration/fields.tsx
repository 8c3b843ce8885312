import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { MenuButton } from "~/controls/Menu";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { folded } from "~/model/folding";
import styles from "./fields.module.css";
import { allAccountsQuery } from "./queries";
import { bytesOf, type Quota, UNITS } from "./quota";

type AccountFilterProps = { account: string; onChange: (account: string) => void; children?: ReactNode };

/** Chooses the account whose entries a list shows; empty for all accounts. */
export function AccountFilter({ account, onChange, children }: AccountFilterProps) {
  const { t } = useMessages();
  const { data: accounts = [] } = useQuery(allAccountsQuery);
  return (
    <div className={styles.filters}>
      <SelectField
        label={t("admin.account")}
        value={account}
        choices={[
          { value: "", text: t("admin.allAccounts") },
          ...accounts.map(({ userName }) => ({ value: userName, text: userName })),
        ]}
        onChange={onChange}
      />
      {children}
    </div>
  );
}

/** The menu of one row. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useMessages();
  const label = t("files.actionsFor", { name });
  return (
    <MenuButton
      label={label}
      button={
        <Button look="quiet" icon={Ellipsis} iconOnly>
          {label}
        </Button>
      }
    >
      {children}
    </MenuButton>
  );
}

/** How much an account may store. */
export function QuotaField({ quota, onChange }: { quota: Quota; onChange: (quota: Quota) => void }) {
  const { t } = useMessages();
  return (
    <div className={styles.quota}>
      <TextField
        label={t("admin.quota")}
        hint={t("admin.quotaHint")}
        inputMode="decimal"
        value={quota.amount}
        problem={bytesOf(quota) === null ? t("admin.quotaWrong") : null}
        onChange={(amount) => onChange({ ...quota, amount })}
      />
      <SelectField
        label={t("admin.unit")}
        value={quota.unit}
        choices={UNITS.map((unit) => ({ value: unit, text: unit.replace("i", "") }))}
        onChange={(unit) => onChange({ ...quota, unit })}
      />
    </div>
  );
}

/** From so many accounts on there is a field to find one. */
const MANY = 8;

type MembersFieldProps = { members: ReadonlySet<string>; onChange: (members: ReadonlySet<string>) => void };

/** The accounts that see a share. */
export function MembersField({ members, onChange }: MembersFieldProps) {
  const { t } = useMessages();
  const { data: accounts = [] } = useQuery(allAccountsQuery);
  const [filter, setFilter] = useState("");
  const wanted = folded(filter.trim());
  const shown = accounts.filter(({ userName, displayName }) => folded(`${userName} ${displayName}`).includes(wanted));
  const toggle = (name: string, isMember: boolean) => {
    const next = new Set(members);
    if (isMember) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t("admin.members")}</legend>
      {accounts.length > MANY && <TextField label={t("admin.findAccount")} value={filter} onChange={setFilter} />}
      <div className={styles.members}>
        {shown.map(({ userName, displayName }) => (
          <CheckField
            key={userName}
            label={displayName === userName ? userName : `${userName} (${displayName})`}
            isChecked={members.has(userName)}
            onChange={(isMember) => toggle(userName, isMember)}
          />
        ))}
      </div>
    </fieldset>
  );
}
