import { Columns3, LayoutGrid, PanelRight } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { Button } from "~/controls/Button";
import { nameByTitle } from "~/controls/name-by-title";
import { useSmall } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import styles from "./ViewButtons.module.css";
import type { View } from "./view";

const ColumnsMenu = lazy(async () => ({ default: (await import("./ColumnsMenu")).ColumnsMenu }));

type Props = {
  view: View;
  onChange: (change: Partial<View>) => void;
  hasDetails: boolean;
  onDetails: (isOpen: boolean) => void;
};

/** How the folder is looked at. */
export function ViewButtons({ view, onChange, hasDetails, onDetails }: Props) {
  const { t } = useMessages();
  const [isMenuWanted, setMenuWanted] = useState(false);
  // There is room for the name and the size alone.
  const isSmall = useSmall();
  const isGrid = view.layout === "grid";
  const menuButton = (
    <Button look="quiet" icon={Columns3} iconOnly onPress={() => setMenuWanted(true)}>
      {t("view.columns")}
    </Button>
  );
  return (
    <div className={styles.buttons} role="toolbar" aria-label={t("view.title")}>
      {!isGrid && !isSmall && (
        <span>
          {isMenuWanted ? (
            <Suspense fallback={menuButton}>
              <ColumnsMenu columns={view.columns} onChange={(columns) => onChange({ columns })} />
            </Suspense>
          ) : (
            menuButton
          )}
        </span>
      )}
      <ToggleButton
        className={styles.toggle ?? ""}
        onHoverStart={nameByTitle}
        aria-label={t("view.grid")}
        isSelected={isGrid}
        onChange={(isChosen) => onChange({ layout: isChosen ? "grid" : "list" })}
      >
        <LayoutGrid size={16} aria-hidden />
      </ToggleButton>
      <ToggleButton
        className={styles.toggle ?? ""}
        onHoverStart={nameByTitle}
        aria-label={t("view.details")}
        isSelected={hasDetails}
        onChange={onDetails}
      >
        <PanelRight size={16} aria-hidden />
      </ToggleButton>
    </div>
  );
}
