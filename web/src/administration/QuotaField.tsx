import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./fields.module.css";
import { bytesOf, type Quota, UNITS } from "./quota";

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
