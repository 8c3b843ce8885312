import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SelectField } from "~/controls/SelectField";
import { useMessages } from "~/messages";
import styles from "./fields.module.css";
import { allAccountsQuery } from "./queries";

type Props = { account: string; onChange: (account: string) => void; children?: ReactNode };

/** Whose entries a list shows; empty for everybody's. */
export function AccountFilter({ account, onChange, children }: Props) {
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
