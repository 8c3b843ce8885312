import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Page } from "~/controls/Page";
import { TextArea, TextField } from "~/controls/TextField";
import { joined, useMessages } from "~/messages";
import { Section } from "~/settings/Section";
import { type Setting, settingsQuery } from "./queries";
import styles from "./SignInTestPage.module.css";
import { settingText } from "./setting-text";
import {
  claimsIn,
  isInUse,
  type Place,
  type SignInOutcome,
  type SignInQuestion,
  type SignInStep,
  type SignInTest,
  settingsOf,
  testSignIn,
} from "./sign-in";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Step({ name, step }: { name: string; step: SignInStep | null }) {
  const { t, formats } = useMessages();
  if (step === null) return null;
  const took = formats.numberText(step.milliseconds);
  if (step.problem === null) return <Fact name={name}>{t("admin.stepWorks", { took })}</Fact>;
  return (
    <Fact name={name}>
      <span className={styles.fails}>{t("admin.stepFails", { took, problem: step.problem })}</span>
    </Fact>
  );
}

function ProviderResult({ provider }: { provider: NonNullable<SignInTest["provider"]> }) {
  const { t, formats } = useMessages();
  return (
    <dl className={styles.facts}>
      <Step name={t("admin.stepMetadata")} step={provider.metadata} />
      <Step name={t("admin.stepKeys")} step={provider.keys} />
      <Fact name={t("admin.usableKeys")}>
        {joined([formats.numberText(provider.usableKeys), ...provider.algorithms])}
      </Fact>
    </dl>
  );
}

function DirectoryResult({ directory }: { directory: NonNullable<SignInTest["directory"]> }) {
  const { t } = useMessages();
  return (
    <dl className={styles.facts}>
      <Step name={t("admin.stepBind")} step={directory.bind} />
      <Step name={t("admin.stepBase")} step={directory.base} />
      {directory.found === false ? (
        <Fact name={t("admin.stepSearch")}>
          <span className={styles.fails}>{t("admin.nameUnknown")}</span>
        </Fact>
      ) : (
        <Step name={t("admin.stepSearch")} step={directory.search} />
      )}
    </dl>
  );
}

function ProxyResult({ proxy }: { proxy: NonNullable<SignInTest["proxy"]> }) {
  const { t } = useMessages();
  if (!proxy.trusted) return <p className={styles.fails}>{t("admin.notByProxy")}</p>;
  if (proxy.problem !== null) {
    return (
      <p className={styles.fails}>
        <bdi>{proxy.problem}</bdi>
      </p>
    );
  }
  return (
    <p>{proxy.userName === null ? t("admin.proxyNamesNobody") : t("admin.proxyNames", { name: proxy.userName })}</p>
  );
}

/** What a sign-in of the person who was asked for would do. */
function Outcome({ outcome }: { outcome: SignInOutcome }) {
  const { t, formats } = useMessages();
  const { userName, role, storageLimit, groups } = outcome;
  return (
    <Section title={t("admin.outcome")}>
      {outcome.refusal !== null && (
        <p className={styles.fails}>{t("admin.wouldBeRefused", { reason: outcome.refusal })}</p>
      )}
      {userName !== null && (
        <dl className={styles.facts}>
          <Fact name={t("admin.account")}>
            {outcome.isNew ? t("admin.wouldBeMade", { name: userName }) : <bdi>{userName}</bdi>}
          </Fact>
          <Fact name={t("admin.displayName")}>
            <bdi>{outcome.displayName}</bdi>
          </Fact>
          <Fact name={t("admin.role")}>{t(role === "admin" ? "admin.roleAdmin" : "admin.roleUser")}</Fact>
          <Fact name={t("admin.quota")}>{storageLimit ? formats.size(storageLimit) : t("admin.unlimited")}</Fact>
          {groups !== null && (
            <Fact name={t("admin.groups")}>
              {groups.length > 0 ? <bdi>{groups.join(", ")}</bdi> : t("admin.noSuchGroups")}
            </Fact>
          )}
        </dl>
      )}
      {outcome.namesake !== null && <p>{t("admin.namesake", { name: outcome.namesake })}</p>}
    </Section>
  );
}

function SettingList({ settings }: { settings: readonly Setting[] }) {
  const { t, formats } = useMessages();
  return (
    <dl className={styles.facts}>
      {settings.map((setting) => (
        <Fact key={setting.key} name={setting.key}>
          <bdi>{settingText(t, formats, setting)}</bdi>
        </Fact>
      ))}
    </dl>
  );
}

const TITLES = {
  rules: "admin.signInRules",
  provider: "admin.provider",
  directory: "admin.directory",
  proxy: "admin.proxy",
} as const;

type PlaceProps = { place: Place; settings: readonly Setting[]; children?: ReactNode };

function PlaceSection({ place, settings, children }: PlaceProps) {
  const { t } = useMessages();
  const state = place !== "rules" && { hint: t(isInUse(settings, place) ? "admin.inUse" : "admin.notInUse") };
  return (
    <Section title={t(TITLES[place])} {...state}>
      {children}
      <SettingList settings={settingsOf(settings, place)} />
    </Section>
  );
}

type FormProps = {
  settings: readonly Setting[];
  isBusy: boolean;
  problem: string | null;
  onTest: (question: SignInQuestion) => void;
  /** Another question is being written, so that the last one's answer holds no more. */
  onEdit: () => void;
};

function TestForm({ settings, isBusy, problem, onTest, onEdit }: FormProps) {
  const { t } = useMessages();
  const [claimsText, setClaimsText] = useState("");
  const [name, setName] = useState("");
  const claims = claimsIn(claimsText);
  const hasBoth = claims != null && name !== "";
  const editing = (set: (text: string) => void) => (text: string) => {
    set(text);
    onEdit();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (claims === null || hasBoth) return;
    onTest({ ...(claims && { claims }), ...(name !== "" && { directoryName: name }) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {isInUse(settings, "provider") && (
        <TextArea
          label={t("admin.claims")}
          hint={t("admin.claimsHint")}
          value={claimsText}
          onChange={editing(setClaimsText)}
          problem={claims === null ? t("admin.claimsWrong") : null}
        />
      )}
      {isInUse(settings, "directory") && (
        <TextField
          label={t("admin.directoryName")}
          hint={t("admin.directoryNameHint")}
          value={name}
          onChange={editing(setName)}
          problem={hasBoth ? t("admin.claimsOrName") : null}
        />
      )}
      <Button type="submit" look="primary" isDisabled={isBusy || claims === null || hasBoth}>
        {t(isBusy ? "admin.testing" : "admin.test")}
      </Button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}

/** How people sign in, and whether the places that know them answer. */
export function SignInTestPage() {
  const { t, language } = useMessages();
  const { data: settings = [] } = useQuery(settingsQuery(language));
  const { data, error, isPending, mutate, reset } = useMutation({ mutationFn: testSignIn });
  return (
    <Page title={t("admin.signIn")} intro={t("admin.signInIntro")}>
      <div className={styles.sections}>
        <Section title={t("admin.testTitle")} hint={t("admin.testHint")}>
          <TestForm
            settings={settings}
            isBusy={isPending}
            problem={error === null ? null : problemText(t, error)}
            onTest={mutate}
            onEdit={reset}
          />
          <p role="status">{data && !isPending && t("admin.tested")}</p>
        </Section>
        {data?.outcome && <Outcome outcome={data.outcome} />}
        <PlaceSection place="rules" settings={settings} />
        <PlaceSection place="provider" settings={settings}>
          {data?.provider && <ProviderResult provider={data.provider} />}
        </PlaceSection>
        <PlaceSection place="directory" settings={settings}>
          {data?.directory && <DirectoryResult directory={data.directory} />}
        </PlaceSection>
        <PlaceSection place="proxy" settings={settings}>
          {data?.proxy && <ProxyResult proxy={data.proxy} />}
        </PlaceSection>
      </div>
    </Page>
  );
}
