import { ChevronDown } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";
import styles from "./Select.module.css";
import { SelectItem } from "./SelectItem";
import field from "./TextField.module.css";

type Props<Value extends string> = {
  label: string;
  hint?: string;
  value: Value;
  choices: readonly { value: Value; text: string }[];
  onChange: (value: Value) => void;
};

/** One of several, of which the chosen one is seen. */
export function Select<Value extends string>({ label, hint, value, choices, onChange }: Props<Value>) {
  return (
    <AriaSelect
      className={field.field ?? ""}
      value={value}
      onChange={(chosen) => {
        const choice = choices.find((one) => one.value === chosen);
        if (choice) onChange(choice.value);
      }}
    >
      <Label className={field.label ?? ""}>{label}</Label>
      <Button className={styles.button ?? ""}>
        {/* The item itself has a mark beside its text. */}
        <SelectValue className={styles.value ?? ""}>{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown size={16} aria-hidden />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className={field.hint ?? ""}>
          {hint}
        </Text>
      )}
      <Popover className={styles.popover ?? ""}>
        <ListBox className={styles.list ?? ""}>
          {choices.map((choice) => (
            <SelectItem key={choice.value} id={choice.value} text={choice.text} />
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
