import { Check, type LucideIcon } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Header } from "react-aria-components/Header";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
} from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import styles from "./Menu.module.css";

type MenuButtonProps = { button: ReactNode; label: string; children: ReactNode; defaultOpen?: boolean };

/** A button, and the menu that it opens. */
export function MenuButton({ button, label, children, defaultOpen = false }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!defaultOpen) return;
    // The menu gives the focus back to what has it when it opens.
    place.current?.querySelector("button")?.focus();
    setOpen(true);
  }, [defaultOpen]);
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <span ref={place} className={styles.button}>
        {button}
      </span>
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <AriaMenu className={styles.menu ?? ""} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

type ItemProps = {
  children: string;
  onAction?: () => void;
  href?: string;
  icon?: LucideIcon;
  id?: string;
  isDisabled?: boolean;
};

export function MenuItem({ children, icon: Icon, ...props }: ItemProps) {
  return (
    <AriaMenuItem className={styles.item ?? ""} textValue={children} {...props}>
      {({ isSelected, selectionMode }) => (
        <>
          {selectionMode === "none" ? Icon && <Icon size={16} aria-hidden /> : <Mark isShown={isSelected} />}
          {children}
        </>
      )}
    </AriaMenuItem>
  );
}

function Mark({ isShown }: { isShown: boolean }) {
  return <Check size={16} aria-hidden visibility={isShown ? "visible" : "hidden"} />;
}

type ChoiceProps<Value extends string> = {
  title: string;
  value: Value;
  choices: readonly { value: Value; text: string }[];
  onChoose: (value: Value) => void;
};

/** A part of a menu where one of several is chosen. */
export function MenuChoice<Value extends string>({ title, value, choices, onChoose }: ChoiceProps<Value>) {
  return (
    <AriaMenuSection
      className={styles.section ?? ""}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = choices.find((choice) => keys !== "all" && keys.has(choice.value));
        if (chosen) onChoose(chosen.value);
      }}
    >
      <Header className={styles.header ?? ""}>{title}</Header>
      {choices.map((choice) => (
        <MenuItem key={choice.value} id={choice.value}>
          {choice.text}
        </MenuItem>
      ))}
    </AriaMenuSection>
  );
}

type ChecksProps<Value extends string> = {
  title: string;
  values: readonly Value[];
  choices: readonly { value: Value; text: string }[];
  onChoose: (values: readonly Value[]) => void;
};

/** A part of a menu where any of several are chosen; it stays open. */
export function MenuChecks<Value extends string>({ title, values, choices, onChoose }: ChecksProps<Value>) {
  return (
    <AriaMenuSection
      className={styles.section ?? ""}
      selectionMode="multiple"
      selectedKeys={values}
      onSelectionChange={(keys) =>
        onChoose(choices.map(({ value }) => value).filter((value) => keys === "all" || keys.has(value)))
      }
    >
      <Header className={styles.header ?? ""}>{title}</Header>
      {choices.map(({ value, text }) => (
        <MenuItem key={value} id={value}>
          {text}
        </MenuItem>
      ))}
    </AriaMenuSection>
  );
}
