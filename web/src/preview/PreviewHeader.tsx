import { ChevronLeft, ChevronRight, Download, PencilLine, X } from "lucide-react";
import { Button } from "~/controls/Button";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import { contentAddress } from "./address";
import { isTextual } from "./kind";
import styles from "./PreviewDialog.module.css";

type Props = {
  path: string;
  place: { number: number; count: number } | null;
  canEdit: boolean;
  onBefore: (() => void) | undefined;
  onAfter: (() => void) | undefined;
  onEdit: () => void;
  onClose: () => void;
};

function save(path: string): void {
  const link = document.createElement("a");
  link.href = contentAddress(path, "attachment");
  link.download = "";
  link.click();
}

/** What is shown, and what can be done with it. */
export function PreviewHeader({ path, place, canEdit, onBefore, onAfter, onEdit, onClose }: Props) {
  const { t } = useMessages();
  const name = nameOf(path);
  return (
    <header className={styles.header}>
      <h2 className={styles.name} title={name}>
        <bdi>{name}</bdi>
      </h2>
      {place && place.count > 1 && <span className={styles.place}>{t("preview.place", place)}</span>}
      <div className={styles.actions}>
        {canEdit && isTextual(name) && (
          <Button look="quiet" icon={PencilLine} iconOnly="narrow" onPress={onEdit}>
            {t("preview.edit")}
          </Button>
        )}
        <Button look="quiet" icon={Download} iconOnly="narrow" onPress={() => save(path)}>
          {t("files.download")}
        </Button>
        <span className={styles.turning}>
          <Button look="quiet" icon={ChevronLeft} iconOnly isDisabled={!onBefore} onPress={() => onBefore?.()}>
            {t("preview.previous")}
          </Button>
          <Button look="quiet" icon={ChevronRight} iconOnly isDisabled={!onAfter} onPress={() => onAfter?.()}>
            {t("preview.next")}
          </Button>
        </span>
        <Button look="quiet" icon={X} iconOnly onPress={onClose}>
          {t("app.close")}
        </Button>
      </div>
    </header>
  );
}
