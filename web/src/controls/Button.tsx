import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";
import styles from "./Button.module.css";
import { nameByTitle } from "./useMedia";

type Look = "plain" | "primary" | "quiet" | "danger";
type Props = Omit<ButtonProps, "className" | "style" | "children"> & {
  children: ReactNode;
  look?: Look;
  icon?: LucideIcon;
  /** Where the icon is all that is seen, the text is its name: everywhere, on narrow pages, or in a row (`data-icons`) that has little room or less. */
  iconOnly?: boolean | "narrow" | "small" | "medium";
};

export function Button({ children, look = "plain", icon: Icon, iconOnly = false, ...props }: Props) {
  return (
    <AriaButton
      {...(iconOnly !== false && { onHoverStart: nameByTitle })}
      {...props}
      className={styles.button ?? ""}
      data-look={look}
      data-icon-only={iconOnly || undefined}
    >
      {Icon && <Icon size={16} aria-hidden />}
      <span className={styles.label}>{children}</span>
    </AriaButton>
  );
}
