import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
import { ComboBox } from "react-aria-components/ComboBox";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Text } from "react-aria-components/Text";
import styles from "./FinderField.module.css";
import select from "./SelectField.module.css";
import field from "./TextField.module.css";

export type Found = { id: string; text: string; hint: string; icon: LucideIcon };

type Props = {
  label: string;
  hint: string;
  /** The error of what is typed; null if there is none. */
  problem: string | null;
  text: string;
  onText: (text: string) => void;
  found: readonly Found[];
  /** Stands in the place of what is found while there is nothing. */
  none: string;
  onChoose: (id: string) => void;
  autoFocus: boolean;
};

/** A text by which something is found, to be chosen from a list. */
export function FinderField({ label, hint, problem, text, onText, found, none, onChoose, autoFocus }: Props) {
  const [first] = found;
  // What alone fits needs no arrow key before it is chosen.
  const chooseOnly = (event: KeyboardEvent) => {
    const isOther = event.target instanceof HTMLInputElement && event.target.hasAttribute("aria-activedescendant");
    if (event.key !== "Enter" || isOther || !first || found.length > 1) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(first.id);
  };
  return (
    <div onKeyDownCapture={chooseOnly}>
      <ComboBox
        className={field.field ?? ""}
        allowsCustomValue
        allowsEmptyCollection={text !== ""}
        menuTrigger="input"
        validationBehavior="aria"
        isInvalid={problem !== null}
        items={found}
        inputValue={text}
        onInputChange={onText}
        selectedKey={null}
        onSelectionChange={(id) => {
          if (id !== null) onChoose(String(id));
        }}
      >
        <Label className={field.label ?? ""}>{label}</Label>
        <Input className={field.input ?? ""} autoFocus={autoFocus} />
        <Text slot="description" className={field.hint ?? ""}>
          {hint}
        </Text>
        <FieldError className={field.problem ?? ""}>{problem}</FieldError>
        <Popover className={select.popover ?? ""}>
          <ListBox
            className={select.list ?? ""}
            items={found}
            renderEmptyState={() => <p className={styles.none}>{none}</p>}
          >
            {({ id, text: name, hint: more, icon: Icon }) => (
              <ListBoxItem id={id} textValue={name} className={styles.item ?? ""}>
                <Icon size={16} aria-hidden />
                <span className={styles.name}>
                  <bdi>{name}</bdi>
                </span>
                {more !== name && (
                  <span className={styles.more}>
                    <bdi>{more}</bdi>
                  </span>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  );
}
