import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "~/controls/CheckField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./fields.module.css";
import { allAccountsQuery } from "./queries";

/** From so many accounts on there is a field to find one. */
const MANY = 8;

type Props = { members: ReadonlySet<string>; onChange: (members: ReadonlySet<string>) => void };

/** The accounts that see a share. */
export function MembersField({ members, onChange }: Props) {
  const { t } = useMessages();
  const { data: accounts = [] } = useQuery(allAccountsQuery);
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const shown = accounts.filter(({ userName, displayName }) =>
    `${userName} ${displayName}`.toLowerCase().includes(wanted),
  );
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
