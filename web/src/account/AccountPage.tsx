import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { methodsQuery } from "~/api/methods";
import { hasCode, Problem, problemText, sentenceKey } from "~/api/problem";
import { sessionQuery, useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { RowsSkeleton } from "~/controls/ListState";
import { Meter } from "~/controls/Meter";
import { RadioGroup } from "~/controls/RadioGroup";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { joined, LANGUAGES, type Language, useMessages } from "~/messages";
import { issuerName } from "~/security/issuers";
import { identitiesQuery, securityQuery } from "~/security/query";
import { PageHead, Section } from "~/settings/Section";
import { chooseTheme, useTheme } from "~/theme/theme";
import styles from "./AccountPage.module.css";
import { passwordProblem } from "./password";
import { Sessions } from "./Sessions";

/** The page of a person's own account. */
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
      <Password />
      <Section title={t("account.sessions")} hint={t("account.sessionsHint")}>
        <Sessions />
      </Section>
    </>
  );
}

/** Language and theme, which stay on the device. */
export function Appearance() {
  const { t, language, choose } = useMessages();
  const theme = useTheme();
  return (
    <>
      <SelectField
        label={t("shell.language")}
        value={language}
        choices={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value: value as Language, text: name }))}
        onChange={(chosen) => void choose(chosen)}
      />
      <RadioGroup
        label={t("shell.theme")}
        value={theme}
        choices={[
          { value: "system", text: t("shell.themeSystem") },
          { value: "light", text: t("shell.themeLight") },
          { value: "dark", text: t("shell.themeDark") },
        ]}
        onChange={chooseTheme}
      />
    </>
  );
}

/** The name that other people see. */
function ProfileForm() {
  const { t } = useMessages();
  const client = useQueryClient();
  const { displayName } = useAccount();
  const [name, setName] = useState(displayName);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const wanted = name.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wanted === "") return setProblem(t("account.nameEmpty"));
    setBusy(true);
    setProblem(null);
    try {
      const account = await answerOf(v2.PATCH("/api/v2/account", { body: { displayName: wanted } }));
      client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, account });
      client.setQueryData(keys.account, account);
      showToast({ text: t("account.saved") });
    } catch (error) {
      setProblem(problemText(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t("account.displayName")}
        hint={t("account.displayNameHint")}
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={problem}
      />
      <Button type="submit" isDisabled={isBusy || wanted === displayName}>
        {t("account.save")}
      </Button>
    </form>
  );
}

/** The form for another password, or why there is none. */
function Password() {
  const { t } = useMessages();
  const { data: security, error } = useQuery(securityQuery);
  if (security?.hasPassword === false) {
    return (
      <Section title={t("account.password")}>
        <NoPassword />
      </Section>
    );
  }
  return (
    <Section title={t("account.password")} hint={t("account.passwordHint")}>
      {security && <PasswordForm />}
      {!security && (error ? <p role="alert">{t(sentenceKey(error))}</p> : <RowsSkeleton lines={2} />)}
    </Section>
  );
}

/** For accounts of a provider, of a directory or of a proxy. */
function NoPassword() {
  const { t } = useMessages();
  const { data: methods } = useQuery(methodsQuery);
  const { data: identities = [] } = useQuery(identitiesQuery);
  const names = new Set(identities.map((identity) => issuerName(t, identity, methods?.provider)));
  return (
    <>
      <p>{t("account.noPassword")}</p>
      {names.size > 0 && <p>{t("account.signsInBy", { names: joined([...names]) })}</p>}
    </>
  );
}

type Refusal = { field: "current" | "wanted" | "form"; text: string };

/** Another password, which ends the other sessions. */
function PasswordForm() {
  const { t } = useMessages();
  const client = useQueryClient();
  const { userName } = useAccount();
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const refused = (field: Refusal["field"]) => (refusal?.field === field ? refusal.text : null);
  const refusalOf = (error: unknown): Refusal => {
    if (hasCode(error, "forbidden")) return { field: "current", text: t("account.passwordWrong") };
    if (hasCode(error, "malformed")) return { field: "wanted", text: t("account.passwordShort") };
    if (error instanceof Problem && error.code === "rate_limited" && error.retryAfterSeconds !== null) {
      return { field: "form", text: t("signIn.wait", { count: error.retryAfterSeconds }) };
    }
    return { field: "form", text: t(sentenceKey(error)) };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (current === "") return setRefusal({ field: "current", text: t("account.passwordMissing") });
    const wrong = passwordProblem(wanted);
    if (wrong) return setRefusal({ field: "wanted", text: t(wrong) });
    setBusy(true);
    setRefusal(null);
    try {
      await answerOf(v2.POST("/api/v2/account/password", { body: { current, new: wanted } }));
      setCurrent("");
      setWanted("");
      showToast({ text: t("account.passwordChanged") });
      await client.invalidateQueries({ queryKey: keys.sessions });
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {/* Password managers want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
      <TextField
        label={t("account.currentPassword")}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        problem={refused("current")}
      />
      <TextField
        label={t("account.newPassword")}
        hint={t("setUp.passwordHint")}
        type="password"
        autoComplete="new-password"
        value={wanted}
        onChange={setWanted}
        problem={refused("wanted")}
      />
      <p className={styles.problem} role="alert">
        {refused("form")}
      </p>
      <Button type="submit">{t("account.changePassword")}</Button>
    </form>
  );
}

/** How much is used, and how much there is. */
export function Storage() {
  const { t, formats } = useMessages();
  const signedIn = useAccount();
  const { data: account = signedIn } = useQuery({
    queryKey: keys.account,
    queryFn: () => answerOf(v2.GET("/api/v2/account")),
  });
  const { storageUsed, storageLimit } = account;
  const used = formats.size(storageUsed);
  if (storageLimit === 0) return <p>{t("account.unlimited", { used })}</p>;
  const free = formats.size(Math.max(0, storageLimit - storageUsed));
  return (
    <div className={styles.storage}>
      <p>{t("locations.usedOf", { used, limit: formats.size(storageLimit) })}</p>
      <Meter share={storageUsed / storageLimit} />
      <p className={styles.hint}>{t("account.free", { free })}</p>
    </div>
  );
}
