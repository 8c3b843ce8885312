import { useState } from "react";
import { Dialog } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { NewKeyForm } from "./NewKeyForm";
import type { CreatedKey } from "./query";
import { Secret } from "./Secret";

/**
 * Makes a key, then shows its secret for the only time: nothing but a button closes the dialog then, since a click
 * that misses would lose it.
 */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  const [made, setMade] = useState<CreatedKey | null>(null);
  const title = made ? t("keys.madeTitle", { name: made.key.name }) : t("keys.newTitle");
  return (
    <Dialog title={title} size="medium" onClose={made ? () => {} : onClose}>
      {made ? <Secret made={made} onDone={onClose} /> : <NewKeyForm onCancel={onClose} onMade={setMade} />}
    </Dialog>
  );
}
