import { Label } from "react-aria-components/Label";
import { RadioGroup as AriaRadioGroup, Radio } from "react-aria-components/RadioGroup";
import styles from "./Choice.module.css";

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; text: string; hint?: string }[];
  onChange: (value: Value) => void;
};

/** One of a few, all of which are seen. */
export function RadioGroup<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <AriaRadioGroup
      className={styles.group ?? ""}
      value={value}
      onChange={(chosen) => {
        const choice = choices.find((one) => one.value === chosen);
        if (choice) onChange(choice.value);
      }}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <div className={styles.choices}>
        {choices.map(({ value: one, text, hint }) => (
          <Radio key={one} value={one} className={styles.choice ?? ""}>
            <span className={styles.mark} data-round>
              <span className={styles.dot} />
            </span>
            <span>
              {text}
              {hint !== undefined && <span className={styles.hint}>{hint}</span>}
            </span>
          </Radio>
        ))}
      </div>
    </AriaRadioGroup>
  );
}
