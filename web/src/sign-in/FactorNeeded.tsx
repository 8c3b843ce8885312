import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "~/api/keys";
import { methodsQuery } from "~/api/methods";
import { knowsPasskeys } from "~/api/passkeys";
import { sentenceKey } from "~/api/problem";
import { signOut } from "~/api/sign-out";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { AddPasskey } from "~/security/Passkeys";
import { beginTotp, type NewTotp } from "~/security/query";
import { TotpDialog } from "~/security/TotpDialog";
import { FormCard, FormProblem } from "./FormCard";

/** Leads people to the second factor that their account must have before they may do anything else. */
export function FactorNeeded() {
  const { t } = useMessages();
  const client = useQueryClient();
  const { data: methods } = useQuery(methodsQuery);
  const [totp, setTotp] = useState<NewTotp | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const close = () => {
    setTotp(null);
    setAdding(false);
    // The page goes on once the server wants nothing more.
    void client.invalidateQueries({ queryKey: keys.session });
  };
  const setUp = async () => {
    setProblem(null);
    try {
      setTotp(await beginTotp());
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <FormCard title={t("factorNeeded.title")} onSubmit={(event) => event.preventDefault()}>
      <p>{t("factorNeeded.text")}</p>
      <FormProblem text={problem === null ? null : t(sentenceKey(problem))} />
      <Button look="primary" onPress={() => void setUp()}>
        {t("security.setUp")}
      </Button>
      {methods?.passkeys && knowsPasskeys() && <Button onPress={() => setAdding(true)}>{t("passkeys.add")}</Button>}
      <Button onPress={() => void signOut(client)}>{t("signIn.signOut")}</Button>
      {totp && <TotpDialog totp={totp} onClose={close} />}
      {isAdding && <AddPasskey onClose={close} />}
    </FormCard>
  );
}
