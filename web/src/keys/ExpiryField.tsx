import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { EXPIRIES, type Expiry } from "./expiry";
import styles from "./NewKeyForm.module.css";

type Props = {
  expiry: Expiry;
  onChange: (expiry: Expiry) => void;
  day: string;
  onDay: (day: string) => void;
  problem: string | null;
};

/** How long a key is good for, with a day of one's own where that is wanted. */
export function ExpiryField({ expiry, onChange, day, onDay, problem }: Props) {
  const { t } = useMessages();
  const text = (one: Expiry) => {
    if (one === "never") return t("keys.never");
    return one === "date" ? t("keys.onDay") : t("keys.inDays", { count: Number(one) });
  };
  const choices = EXPIRIES.map((value) => ({ value, text: text(value) }));
  return (
    <div className={styles.ends}>
      <SelectField label={t("keys.ends")} value={expiry} choices={choices} onChange={onChange} />
      {expiry === "date" && (
        <TextField label={t("keys.lastDay")} type="date" value={day} onChange={onDay} problem={problem} />
      )}
    </div>
  );
}
