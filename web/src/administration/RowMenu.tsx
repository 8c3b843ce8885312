import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "~/controls/Button";
import { MenuButton } from "~/controls/Menu";
import { useMessages } from "~/messages";

/** What can be done with one row. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useMessages();
  const label = t("files.actionsFor", { name });
  return (
    <MenuButton
      label={label}
      button={
        <Button look="quiet" icon={Ellipsis} iconOnly>
          {label}
        </Button>
      }
    >
      {children}
    </MenuButton>
  );
}
