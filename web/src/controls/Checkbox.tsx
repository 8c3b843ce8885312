import { Check } from "lucide-react";
import { Checkbox as AriaCheckbox } from "react-aria-components/Checkbox";
import styles from "./Choice.module.css";

type Props = { children: string; hint?: string; isSelected: boolean; onChange: (isSelected: boolean) => void };

export function Checkbox({ children, hint, ...props }: Props) {
  return (
    <AriaCheckbox {...props} className={styles.choice ?? ""}>
      <span className={styles.mark}>
        <Check size={14} strokeWidth={3} aria-hidden />
      </span>
      <span>
        {children}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}
