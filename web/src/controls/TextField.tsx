import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextField as AriaTextField, type TextFieldProps } from "react-aria-components/TextField";
import styles from "./TextField.module.css";

type Props = Omit<TextFieldProps, "className" | "style" | "children"> & {
  label: string;
  hint?: string;
  /** What is wrong with the value; null where nothing is. */
  problem?: string | null;
  placeholder?: string;
};

export function TextField({ label, hint, problem = null, placeholder, ...props }: Props) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""} isInvalid={problem !== null} validationBehavior="aria">
      <Label className={styles.label ?? ""}>{label}</Label>
      <Input className={styles.input ?? ""} {...(placeholder === undefined ? {} : { placeholder })} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.problem ?? ""}>{problem}</FieldError>
    </AriaTextField>
  );
}
