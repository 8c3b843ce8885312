import { useId } from "react";
import styles from "./CheckField.module.css";

type Props = {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  hint?: string;
  isDisabled?: boolean;
};

/** Yes or no. */
export function CheckField({ label, isChecked, onChange, hint, isDisabled = false }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <input
        id={id}
        className={styles.box}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className={styles.label} htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
