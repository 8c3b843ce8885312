import { Check, ChevronDown } from "lucide-react";
import { useId } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox as AriaComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Text } from "react-aria-components/Text";
import styles from "./SelectField.module.css";
import field from "./TextField.module.css";

type SelectFieldProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; text: string }[];
  onChange: (value: Value) => void;
  hint?: string | undefined;
};

/** One of several; the browser's own, which every device has a good way to choose from. */
export function SelectField<Value extends string>({ label, value, choices, onChange, hint }: SelectFieldProps<Value>) {
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

type SelectItemProps = { id: string; text: string; hint?: string };

/** One of what a ComboBox offers. */
function SelectItem({ id, text, hint }: SelectItemProps) {
  return (
    <ListBoxItem id={id} textValue={text} className={styles.item ?? ""}>
      <Check size={16} aria-hidden />
      <span>
        {text}
        {hint !== undefined && hint !== text && (
          <span className={field.hint} style={{ display: "block" }}>
            {" "}
            {hint}
          </span>
        )}
      </span>
    </ListBoxItem>
  );
}

type ComboBoxProps = {
  label: string;
  hint?: string;
  isRequired?: boolean;
  value: string;
  /** Values that are proposed; any other can be typed. */
  proposals: readonly { value: string; help: string }[];
  placeholder?: string;
  onChange: (value: string) => void;
};

/** A text, with proposals. */
export function ComboBox({ label, hint, isRequired = false, value, proposals, placeholder, onChange }: ComboBoxProps) {
  return (
    <AriaComboBox
      className={field.field ?? ""}
      allowsCustomValue
      menuTrigger="focus"
      isRequired={isRequired}
      validationBehavior="aria"
      inputValue={value}
      onInputChange={onChange}
    >
      <Label className={field.label ?? ""}>{label}</Label>
      <div className={styles.combo}>
        <Input className={field.input ?? ""} {...(placeholder === undefined ? {} : { placeholder })} />
        <Button className={styles.open ?? ""}>
          <ChevronDown size={16} aria-hidden />
        </Button>
      </div>
      {hint !== undefined && (
        <Text slot="description" className={field.hint ?? ""}>
          {hint}
        </Text>
      )}
      <Popover className={styles.popover ?? ""}>
        <ListBox className={styles.list ?? ""}>
          {proposals.map(({ value: proposed, help }) => (
            <SelectItem key={proposed} id={proposed} text={proposed} hint={help} />
          ))}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
