import { ChevronDown } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { ComboBox as AriaComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Text } from "react-aria-components/Text";
import styles from "./ComboBox.module.css";
import { SelectItem } from "./SelectItem";
import field from "./TextField.module.css";

type Props = {
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
export function ComboBox({ label, hint, isRequired = false, value, proposals, placeholder, onChange }: Props) {
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
