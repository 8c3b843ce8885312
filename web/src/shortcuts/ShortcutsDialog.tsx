import { Fragment } from "react";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { type Key, useMessages } from "~/messages";
import styles from "./ShortcutsDialog.module.css";

/** The labels of the keys, with `+` between keys pressed together and a space between keys that do the same. */
const GROUPS: readonly {
  title: Key & `shortcuts.${string}`;
  keys: readonly [string, Key & `shortcuts.${string}`][];
}[] = [
  {
    title: "shortcuts.anywhere",
    keys: [
      ["/", "shortcuts.search"],
      ["?", "shortcuts.help"],
      ["Esc", "shortcuts.escape"],
    ],
  },
  {
    title: "shortcuts.inList",
    keys: [
      ["↑ ↓", "shortcuts.move"],
      ["Shift+↑ Shift+↓", "shortcuts.extend"],
      ["A–Z", "shortcuts.typeAhead"],
      ["Enter", "shortcuts.open"],
      ["Ctrl+A", "shortcuts.selectAll"],
      ["Ctrl+C Ctrl+X Ctrl+V", "shortcuts.clipboard"],
      ["F2", "shortcuts.rename"],
      ["Delete", "shortcuts.delete"],
      ["Shift+F10", "shortcuts.menu"],
    ],
  },
  {
    title: "shortcuts.inPreview",
    keys: [
      ["← →", "shortcuts.turn"],
      ["Ctrl+S", "shortcuts.save"],
      ["Ctrl+F", "shortcuts.find"],
    ],
  },
];

/** All keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  return (
    <Dialog title={t("shortcuts.title")} size="medium" onClose={onClose}>
      <div className={styles.groups}>
        {GROUPS.map(({ title, keys }) => (
          <section key={title} className={styles.group}>
            <h3>{t(title as "shortcuts.anywhere")}</h3>
            <dl className={styles.keys}>
              {keys.map(([presses, text]) => (
                <Fragment key={text}>
                  <dt dir="ltr">
                    {presses.split(" ").map((press) => (
                      <kbd key={press}>{press}</kbd>
                    ))}
                  </dt>
                  <dd>{t(text as "shortcuts.anywhere")}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.close")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
