import { Check, Copy } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import styles from "./CopyField.module.css";

type Props = {
  label: string;
  value: string;
  /** The name of the button. */
  copy: string;
  iconOnly?: boolean;
  rows?: number;
};

/** A text to be taken elsewhere. Pages that came over plain HTTP have no clipboard, but can copy what is selected. */
export function CopyField({ label, value, copy, iconOnly = false, rows = 1 }: Props) {
  const { t } = useMessages();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const take = async () => {
    const isTaken = await copyText(value, area.current);
    setCopied(isTaken);
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        className={styles.value}
        dir="ltr"
        readOnly
        rows={rows}
        spellCheck={false}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon={isCopied ? Check : Copy} iconOnly={iconOnly} onPress={() => void take()}>
        {copy}
      </Button>
      <span className="hidden-text" role="status">
        {isCopied ? t("app.copied") : ""}
      </span>
    </div>
  );
}

async function copyText(text: string, area: HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // It is selected then, for the keys of the browser, also where this does nothing.
    area?.select();
    return document.execCommand("copy");
  }
}
