import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { problemText } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { type Key, useMessages } from "~/messages";
import { SERVER } from "~/platform/base";
import { addressesOf } from "./addresses";
import styles from "./Devices.module.css";

/** Makes a key for a device, then shows with it how the device is connected; nothing but a button closes it then. */
export function ConnectDevice({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog title={t("devices.connect")} size="medium" onClose={secret === null ? onClose : () => {}}>
      {secret === null ? (
        <NameForm onCancel={onClose} onMade={setSecret} />
      ) : (
        <Steps secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

type NameFormProps = { onCancel: () => void; onMade: (secret: string) => void };

/** Asks which device it is, so that its key can be told from others. */
function NameForm({ onCancel, onMade }: NameFormProps) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") return setProblem(t("keys.nameEmpty"));
    setBusy(true);
    setProblem(null);
    try {
      const made = await answerOf(v2.POST("/api/v2/keys", { body: { name: name.trim(), access: "full" } }));
      void client.invalidateQueries({ queryKey: keys.apiKeys });
      onMade(made.secret);
    } catch (error) {
      setProblem(problemText(t, error));
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t("devices.name")}
        hint={t("devices.nameHint")}
        autoFocus
        isRequired
        maxLength={100}
        value={name}
        onChange={setName}
        problem={problem}
      />
      <DialogButtons>
        <Button onPress={onCancel}>{t("app.cancel")}</Button>
        <Button type="submit" look="primary">
          {t("devices.make")}
        </Button>
      </DialogButtons>
    </form>
  );
}

const SYSTEMS: readonly { title: Key & `devices.${string}`; steps: Key & `devices.${string}` }[] = [
  { title: "devices.windows", steps: "devices.windowsSteps" },
  { title: "devices.macos", steps: "devices.macosSteps" },
];

/** Where the files are, who signs in and with what, and how each system takes that. */
function Steps({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useMessages();
  const { userName } = useAccount();
  const { web, gnome, rclone } = addressesOf(SERVER, userName);
  return (
    <div className={styles.form}>
      <CopyField label={t("devices.address")} value={web} copy={t("app.copy")} />
      <CopyField label={t("signIn.userName")} value={userName} copy={t("app.copy")} />
      <CopyField label={t("signIn.password")} value={secret} copy={t("app.copy")} />
      <p className={styles.warning}>{t("devices.secretHint")}</p>
      {SYSTEMS.map(({ title, steps }) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <p>{t(steps)}</p>
        </section>
      ))}
      <section>
        <h3>{t("devices.gnome")}</h3>
        <p>{t("devices.gnomeSteps")}</p>
        <CopyField label={t("devices.gnomeAddress")} value={gnome} copy={t("app.copy")} />
      </section>
      <section>
        <h3>{t("devices.rclone")}</h3>
        <CopyField label={t("devices.rcloneLine")} value={rclone} copy={t("app.copy")} rows={3} />
      </section>
      <DialogButtons>
        <Button look="primary" onPress={onDone}>
          {t("devices.done")}
        </Button>
      </DialogButtons>
    </div>
  );
}
