import { useId } from "react";
import styles from "./SelectField.module.css";

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; text: string }[];
  onChange: (value: Value) => void;
  hint?: string | undefined;
};

/** One of several; the browser's own, which every device has a good way to choose from. */
export function SelectField<Value extends string>({ label, value, choices, onChange, hint }: Props<Value>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
