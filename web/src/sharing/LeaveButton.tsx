import { useQueryClient } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { Button } from "~/controls/Button";
import { FormDialog } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { endShare, type Share } from "./shares";

type Props = { share: Share; iconOnly?: boolean };

/** Takes what another account shares out of the own files, after a question. */
export function LeaveButton({ share, iconOnly = false }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { name } = share;
  const leave = async () => {
    await endShare(client, share);
    showToast({ text: t("sharing.left", { name }) });
  };
  return (
    <>
      <Button look={iconOnly ? "quiet" : "plain"} icon={UserMinus} iconOnly={iconOnly} onPress={() => setAsking(true)}>
        {t("sharing.leave")}
      </Button>
      {isAsking && (
        <FormDialog
          isDanger
          title={t("sharing.leaveTitle", { name })}
          submit={t("sharing.leave")}
          onClose={() => setAsking(false)}
          onSubmit={leave}
        >
          <p>{t("sharing.leaveText", { owner: share.owner.displayName })}</p>
        </FormDialog>
      )}
    </>
  );
}
