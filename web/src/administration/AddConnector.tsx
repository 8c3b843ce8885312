import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { FormDialog } from "~/controls/FormDialog";
import { SelectField } from "~/controls/SelectField";
import { useMessages } from "~/messages";
import { allAccountsQuery } from "./queries";

const Wizard = lazy(async () => ({ default: (await import("~/connectors/Wizard")).Wizard }));

type Step = { kind: "account"; userName: string } | { kind: "connector"; userName: string };

/** Mounts a server or drive for an account: asks for whom, and goes on as for one's own. */
export function AddConnector({ account }: { account: string }) {
  const { t } = useMessages();
  const { userName: own } = useAccount();
  const { data: accounts = [] } = useQuery(allAccountsQuery);
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  return (
    <>
      <Button look="primary" icon={Plus} onPress={() => setStep({ kind: "account", userName: account || own })}>
        {t("connectors.add")}
      </Button>
      {step?.kind === "account" && (
        <FormDialog
          title={t("connectors.add")}
          submit={t("admin.goOn")}
          onSubmit={async () => setStep({ kind: "connector", userName: step.userName })}
          // The next step stands in its place by then.
          onClose={() => setStep((now) => (now?.kind === "account" ? null : now))}
        >
          <SelectField
            label={t("admin.account")}
            hint={t("admin.connectorFor")}
            value={step.userName}
            choices={accounts.map(({ userName }) => ({ value: userName, text: userName }))}
            onChange={(userName) => setStep({ kind: "account", userName })}
          />
        </FormDialog>
      )}
      {step?.kind === "connector" && (
        <Suspense>
          <Wizard connector={null} owner={step.userName} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
