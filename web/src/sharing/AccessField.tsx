import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { useMessages } from "~/messages";
import styles from "./AccessField.module.css";
import { ACCESS_TEXTS, type Access, choicesOf } from "./shares";

type Props = { isDirectory: boolean; access: Access; onChange: (access: Access) => void };

/** What receivers may do, all of which is seen at once. */
export function AccessField({ isDirectory, access, onChange }: Props) {
  const { t } = useMessages();
  const choices = choicesOf(isDirectory);
  const hint = choices.find((choice) => choice.access === access)?.hint;
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden>
        {t("sharing.access")}
      </span>
      <ListBox
        className={styles.choices ?? ""}
        aria-label={t("sharing.access")}
        orientation="horizontal"
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={[access]}
        onSelectionChange={(chosen) => {
          const one = choices.find((choice) => chosen !== "all" && chosen.has(choice.access));
          if (one) onChange(one.access);
        }}
      >
        {choices.map(({ access: one }) => (
          <ListBoxItem key={one} id={one} className={styles.choice ?? ""}>
            {t(ACCESS_TEXTS[one])}
          </ListBoxItem>
        ))}
      </ListBox>
      {hint && <p className={styles.hint}>{t(hint)}</p>}
    </div>
  );
}
