import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from "react-aria-components/TextField";
import styles from "./TextField.module.css";

type TextFieldProps = Omit<AriaProps, "className" | "style" | "children"> & {
  label: string;
  hint?: string;
  /** The error of the value; null if there is none. */
  problem?: string | null;
  placeholder?: string;
};

export function TextField({ label, hint, problem = null, placeholder, ...props }: TextFieldProps) {
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

type TextAreaProps = Omit<AriaProps, "className" | "style" | "children" | "type"> & {
  label: string;
  hint?: string;
  /** The error of the value; null if there is none. */
  problem?: string | null;
  rows?: number;
};

/** A text of several lines, as a program prints it. */
export function TextArea({ label, hint, problem = null, rows = 4, ...props }: TextAreaProps) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""} isInvalid={problem !== null} validationBehavior="aria">
      <Label className={styles.label ?? ""}>{label}</Label>
      <AriaTextArea className={styles.area ?? ""} rows={rows} spellCheck="false" dir="ltr" />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.problem ?? ""}>{problem}</FieldError>
    </AriaTextField>
  );
}
