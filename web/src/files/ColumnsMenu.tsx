import { Columns3 } from "lucide-react";
import { Button } from "~/controls/Button";
import { MenuButton, MenuChecks } from "~/controls/Menu";
import { useMessages } from "~/messages";
import { COLUMNS, useView } from "./view";

/** Which columns the list has beside the name. Open from the first. */
export function ColumnsMenu() {
  const { t } = useMessages();
  const [{ columns }, change] = useView();
  const button = (
    <Button look="quiet" icon={Columns3} iconOnly>
      {t("view.columns")}
    </Button>
  );
  return (
    <MenuButton defaultOpen button={button} label={t("view.columns")}>
      <MenuChecks
        title={t("view.columns")}
        values={columns}
        choices={COLUMNS.map((value) => ({ value, text: t(`files.${value}`) }))}
        onChoose={(chosen) => change({ columns: chosen })}
      />
    </MenuButton>
  );
}
