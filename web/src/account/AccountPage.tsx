import { useAccount } from "~/api/session";
import { useMessages } from "~/messages";
import { PageHead, Section } from "~/settings";
import { Appearance } from "./Appearance";
import { PasswordForm } from "./PasswordForm";
import { ProfileForm } from "./ProfileForm";
import { Sessions } from "./Sessions";
import { Storage } from "./Storage";

/** What somebody sets for themselves. */
export function AccountPage() {
  const { t } = useMessages();
  const { userName } = useAccount();
  return (
    <>
      <PageHead title={t("account.title")} intro={t("account.intro", { name: userName })} />
      <Section title={t("account.profile")}>
        <ProfileForm />
      </Section>
      <Section title={t("account.storage")}>
        <Storage />
      </Section>
      <Section title={t("account.appearance")} hint={t("account.appearanceHint")}>
        <Appearance />
      </Section>
      <Section title={t("account.password")} hint={t("account.passwordHint")}>
        <PasswordForm />
      </Section>
      <Section title={t("account.sessions")} hint={t("account.sessionsHint")}>
        <Sessions />
      </Section>
    </>
  );
}
