import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, FormDialog } from "~/controls/Dialog";
import { RowsSkeleton } from "~/controls/ListState";
import { later } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { PageHead, Section } from "~/settings/Section";
import { Identities } from "./Identities";
import { Passkeys } from "./Passkeys";
import { beginTotp, type NewTotp, removeTotp, renewCodes, type Security, securityQuery } from "./query";
import { RecoveryCodes } from "./RecoveryCodes";
import styles from "./Security.module.css";

const TotpDialog = later(async () => (await import("./TotpDialog")).TotpDialog);

/** The page of what it takes to sign in. */
export function SecurityPage() {
  const { t } = useMessages();
  const { data: security, error } = useQuery(securityQuery);
  return (
    <>
      <PageHead title={t("settings.security")} intro={t("security.intro")} />
      <Section title={t("security.secondFactor")} hint={t("security.secondFactorHint")}>
        {security && <SecondFactor security={security} />}
        {!security && (error ? <p role="alert">{t(sentenceKey(error))}</p> : <RowsSkeleton lines={2} />)}
      </Section>
      <Passkeys />
      {security && <Identities />}
    </>
  );
}

type Open = { kind: "setUp"; totp: NewTotp } | { kind: "codes"; codes: readonly string[] } | { kind: "off" };

function SecondFactor({ security }: { security: Security }) {
  const { t, formats } = useMessages();
  const [open, setOpen] = useState<Open | null>(null);
  const reporting = async (work: () => Promise<Open>) => {
    try {
      setOpen(await work());
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    }
  };
  const client = useQueryClient();
  const setUp = () => reporting(async () => ({ kind: "setUp", totp: await beginTotp() }));
  const renew = () => reporting(async () => ({ kind: "codes", codes: await renewCodes(client) }));
  const { totpSince, hasSecondFactor, recoveryCodes } = security;
  return (
    <>
      {totpSince === null ? (
        <div className={styles.buttons}>
          <Button look="primary" onPress={() => void setUp()}>
            {t("security.setUp")}
          </Button>
        </div>
      ) : (
        <>
          <p>{t("security.on", { at: formats.dateTime(totpSince) })}</p>
          <div className={styles.buttons}>
            <Button onPress={() => setOpen({ kind: "off" })}>{t("security.turnOff")}</Button>
          </div>
        </>
      )}
      {hasSecondFactor && (
        <>
          <p>{t("security.codesLeft", { count: recoveryCodes })}</p>
          <div className={styles.buttons}>
            <Button onPress={() => void renew()}>{t("security.newCodes")}</Button>
          </div>
        </>
      )}
      <SecurityDialogs open={open} onClose={() => setOpen(null)} />
    </>
  );
}

function SecurityDialogs({ open, onClose }: { open: Open | null; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  switch (open?.kind) {
    case "setUp":
      return <TotpDialog totp={open.totp} onClose={onClose} />;
    case "codes":
      return (
        <Dialog title={t("security.codes")} size="medium" onClose={() => {}}>
          <RecoveryCodes codes={open.codes} onDone={onClose} />
        </Dialog>
      );
    case "off":
      return (
        <FormDialog
          isDanger
          title={t("security.offTitle")}
          submit={t("security.turnOff")}
          onSubmit={() => removeTotp(client)}
          onClose={onClose}
        >
          <p>{t("security.offText")}</p>
        </FormDialog>
      );
    default:
      return null;
  }
}
