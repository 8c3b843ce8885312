import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps } from "react-aria-components/TextField";
import area from "./TextArea.module.css";
import styles from "./TextField.module.css";

type Props = Omit<TextFieldProps, "className" | "style" | "children" | "type"> & {
  label: string;
  hint?: string;
  /** What is wrong with the value; null where nothing is. */
  problem?: string | null;
  rows?: number;
};

/** A text of several lines, as a program prints it. */
export function TextArea({ label, hint, problem = null, rows = 4, ...props }: Props) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""} isInvalid={problem !== null} validationBehavior="aria">
      <Label className={styles.label ?? ""}>{label}</Label>
      <AriaTextArea className={area.area ?? ""} rows={rows} spellCheck="false" dir="ltr" />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.problem ?? ""}>{problem}</FieldError>
    </AriaTextField>
  );
}
