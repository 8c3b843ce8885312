import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { askToConfirm } from "~/api/confirmation";
import { goToProvider, here, methodsQuery } from "~/api/methods";
import { hasCode, problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { Section } from "~/settings/Section";
import { isOfProvider, issuerName } from "./issuers";
import { identitiesQuery, securityQuery, unlink } from "./query";
import styles from "./Security.module.css";

/** The persons at a provider who sign in to the account, where there is a provider or were some. Of the provider one is enough. */
export function Identities() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { data: methods } = useQuery(methodsQuery);
  const { data: identities = [] } = useQuery(identitiesQuery);
  const provider = methods?.provider ?? null;
  if (!provider && identities.length === 0) return null;
  const link = async () => {
    // The browser leaves for the provider, so that what is missing has to be asked for before.
    // The page may have been open for a while.
    try {
      const { isConfirmed } = await client.fetchQuery({ ...securityQuery, staleTime: 0 });
      if (isConfirmed || (await askToConfirm())) goToProvider({ purpose: "link", to: here() });
    } catch (error) {
      showToast({ text: problemText(t, error), tone: "danger" });
    }
  };
  const remove = async (id: string) => {
    try {
      await unlink(client, id);
    } catch (error) {
      const text = hasCode(error, "precondition_failed") ? t("security.lastWay") : problemText(t, error);
      showToast({ text, tone: "danger" });
    }
  };
  return (
    <Section title={t("security.linked")} hint={t("security.linkedHint")}>
      {identities.length > 0 && (
        <ul className={styles.list} aria-label={t("security.linked")}>
          {identities.map((identity) => {
            const name = issuerName(t, identity, provider);
            return (
              <li key={identity.id} className={styles.item}>
                <UserRoundCheck size={20} strokeWidth={1.6} aria-hidden />
                <div className={styles.text}>
                  <bdi title={identity.issuer}>{name}</bdi>
                  <span className={styles.small}>
                    {t("security.lastUsed", { at: formats.dateTime(identity.lastUsedAt) })}
                  </span>
                </div>
                <Button aria-label={t("security.unlinkOf", { name })} onPress={() => void remove(identity.id)}>
                  {t("security.unlink")}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {provider && !identities.some(isOfProvider) && (
        <div className={styles.buttons}>
          <Button onPress={() => void link()}>{t("security.link", { name: provider.name })}</Button>
        </div>
      )}
    </Section>
  );
}
