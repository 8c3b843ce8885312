import { Check, Copy } from "lucide-react";
import { useId, useState } from "react";
import { useMessages } from "~/messages";
import { copyText } from "~/platform/clipboard";
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

/** A text to be taken elsewhere. */
export function CopyField({ label, value, copy, iconOnly = false, rows = 1 }: Props) {
  const { t } = useMessages();
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const take = async () => {
    setCopied(await copyText(value));
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
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
