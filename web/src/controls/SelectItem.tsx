import { Check } from "lucide-react";
import { ListBoxItem } from "react-aria-components/ListBox";
import styles from "./ComboBox.module.css";
import field from "./TextField.module.css";

type Props = { id: string; text: string; hint?: string };

/** One of what a ComboBox offers. */
export function SelectItem({ id, text, hint }: Props) {
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
