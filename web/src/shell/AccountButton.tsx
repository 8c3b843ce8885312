import { CircleUser } from "lucide-react";
import type { ButtonProps } from "react-aria-components/Button";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";

/** Opens the menu of the account. */
export function AccountButton(props: Pick<ButtonProps, "onPress" | "aria-haspopup" | "aria-expanded">) {
  const { t } = useMessages();
  const { displayName } = useAccount();
  return (
    <Button
      look="quiet"
      icon={CircleUser}
      iconOnly="narrow"
      aria-label={t("shell.account", { name: displayName })}
      {...props}
    >
      {displayName}
    </Button>
  );
}
