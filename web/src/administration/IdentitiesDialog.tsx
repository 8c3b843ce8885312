import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { methodsQuery } from "~/api/methods";
import { hasCode, problemText, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { RowsSkeleton } from "~/controls/ListState";
import { useMessages } from "~/messages";
import { issuerName } from "~/security/issuers";
import styles from "./fields.module.css";
import { identitiesOfQuery, type ManagedAccount, unlinkIdentity } from "./queries";

type Props = { account: ManagedAccount; onClose: () => void };

/** Shows who signs in to an account by the provider, and unlinks them. */
export function IdentitiesDialog({ account, onClose }: Props) {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { userName } = account;
  const { data: identities, error } = useQuery(identitiesOfQuery(userName));
  const { data: methods } = useQuery(methodsQuery);
  const [problem, setProblem] = useState<string | null>(null);
  const unlink = async (id: string) => {
    setProblem(null);
    try {
      await unlinkIdentity(client, userName, id);
    } catch (refusal) {
      setProblem(hasCode(refusal, "precondition_failed") ? t("security.lastWay") : problemText(t, refusal));
    }
  };
  return (
    <Dialog title={t("admin.identitiesOf", { name: userName })} size="medium" onClose={onClose}>
      {!identities && (error ? <p role="alert">{t(sentenceKey(error))}</p> : <RowsSkeleton lines={2} />)}
      {identities?.length === 0 && <p>{t("admin.noIdentities")}</p>}
      {identities && identities.length > 0 && (
        <ul className={styles.identities} aria-label={t("security.linked")}>
          {identities.map(({ id, issuer, subject, lastUsedAt }) => (
            <li key={id}>
              <div>
                <bdi>{subject}</bdi>
                <small>
                  <bdi title={issuer}>{issuerName(t, { issuer }, methods?.provider)}</bdi>
                </small>
                <small>{t("security.lastUsed", { at: formats.dateTime(lastUsedAt) })}</small>
              </div>
              <Button aria-label={t("security.unlinkOf", { name: subject })} onPress={() => void unlink(id)}>
                {t("security.unlink")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="alert">{problem}</p>
      <DialogButtons>
        <Button look="primary" autoFocus onPress={onClose}>
          {t("app.close")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
