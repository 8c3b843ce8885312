import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CircleAlert, Download, File, Link2Off } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { answerOf } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, Problem, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/ListState";
import { later } from "~/controls/later";
import { PageTitle } from "~/controls/PageTitle";
import { TextField } from "~/controls/TextField";
import { Toasts } from "~/controls/Toasts";
import { joined, type Translate, useMessages } from "~/messages";
import { useWayBack } from "~/model/way-back";
import { at } from "~/platform/base";
import { FormCard, FormProblem } from "~/sign-in/FormCard";
import { contentAddress, type GuestLink, guestApi, guestLinkQuery, save } from "./api";
import styles from "./GuestPage.module.css";

const PLACE = { waiting: <RowsSkeleton />, fills: "place" } as const;
const GuestFolder = later(async () => (await import("./GuestFolder")).GuestFolder, PLACE);
const GuestUploads = later(async () => (await import("./GuestUploads")).GuestUploads, PLACE);

/** The page of a share link, for guests. */
export function GuestPage() {
  const { token = "", _splat = "" } = useParams({ strict: false });
  const { t } = useMessages();
  const { data: link, error, refetch } = useQuery(guestLinkQuery(token));
  if (link?.needsPassword) return <PasswordForm token={token} />;
  if (link) return <Opened token={token} path={_splat.split("/").filter(Boolean).join("/")} link={link} />;
  if (error === null) {
    return (
      <GuestFrame link={null}>
        <RowsSkeleton />
      </GuestFrame>
    );
  }
  const isGone = hasCode(error, "not_found") || hasCode(error, "malformed");
  return (
    <GuestFrame link={null}>
      {isGone ? (
        <EmptyState icon={Link2Off} title={t("guest.gone")} hint={t("guest.goneHint")} />
      ) : (
        <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(error))}>
          <Button onPress={() => void refetch()}>{t("app.retry")}</Button>
        </EmptyState>
      )}
    </GuestFrame>
  );
}

function Opened({ token, path, link }: { token: string; path: string; link: GuestLink }) {
  const { t } = useMessages();
  const name = link.name ?? "";
  const isUsedUp = link.downloadsLeft === 0;
  const wayBack = useWayBack(path);
  return (
    <GuestFrame link={link}>
      {link.mode === "upload" && <GuestUploads token={token} name={name} />}
      {link.mode === "read" && link.isDirectory && (
        <GuestFolder key={path} token={token} path={path} wayBack={wayBack} name={name} isUsedUp={isUsedUp} />
      )}
      {link.mode === "read" && !link.isDirectory && !isUsedUp && <GuestFile token={token} link={link} />}
      {link.mode === "read" && !link.isDirectory && isUsedUp && (
        <EmptyState icon={Link2Off} title={t("guest.usedUp")} hint={t("guest.usedUpHint")} />
      )}
    </GuestFrame>
  );
}

/** The frame of the guests' page: its owner, its item, its end. */
function GuestFrame({ link, children }: { link: GuestLink | null; children?: ReactNode }) {
  const { t, formats } = useMessages();
  const name = link?.name ?? null;
  const bounds: string[] = [];
  if (link && link.expiresAt !== null) bounds.push(t("links.until", { time: formats.dateTime(link.expiresAt) }));
  if (link && link.downloadsLeft !== null) bounds.push(t("guest.downloadsLeft", { count: link.downloadsLeft }));
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <img src={at("/icon.svg")} alt="" width={24} height={24} />
          {t("app.name")}
        </span>
        {bounds.length > 0 && <p className={styles.bounds}>{joined(bounds)}</p>}
      </header>
      <main id="page" tabIndex={-1} className={styles.main}>
        {/* One file, and uploads, have a heading that is seen. */}
        <PageTitle
          text={name ?? t("app.name")}
          isHeading={link === null || (link.mode === "read" && (link.isDirectory === true || link.downloadsLeft === 0))}
        />
        {children}
      </main>
      <Toasts />
    </div>
  );
}

/** Asks for the password of a link. */
export function PasswordForm({ token }: { token: string }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const params = { path: { token } };
      await answerOf(guestApi.POST("/api/v2/guest/{token}/session", { params, body: { password } }));
      await client.invalidateQueries({ queryKey: keys.guest(token) });
    } catch (error) {
      setProblem(error);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormCard title={t("guest.protected")} onSubmit={(event) => void submit(event)}>
      <p>{t("guest.protectedHint")}</p>
      <TextField
        label={t("signIn.password")}
        type="password"
        autoComplete="off"
        autoFocus
        isRequired
        value={password}
        onChange={setPassword}
      />
      <FormProblem text={problem === null ? null : problemText(t, problem)} />
      <Button type="submit" look="primary">
        {t("guest.open")}
      </Button>
    </FormCard>
  );
}

function problemText(t: Translate, problem: unknown): string {
  const isWrong = ["unauthenticated", "malformed", "forbidden"] as const;
  if (isWrong.some((code) => hasCode(problem, code))) return t("guest.wrongPassword");
  if (problem instanceof Problem && problem.code === "rate_limited" && problem.retryAfterSeconds !== null) {
    return t("signIn.wait", { count: problem.retryAfterSeconds });
  }
  return t(sentenceKey(problem));
}

/** One file that a link opens. */
function GuestFile({ token, link }: { token: string; link: GuestLink }) {
  const { t, formats } = useMessages();
  const facts: string[] = [];
  if (link.size !== null) facts.push(formats.size(link.size));
  if (link.modifiedAt !== null) facts.push(formats.dateTime(link.modifiedAt));
  return (
    <div className={styles.file}>
      <File className={styles.icon} size={56} strokeWidth={1.2} aria-hidden />
      <h1 className={styles.name}>
        <bdi>{link.name}</bdi>
      </h1>
      <p className={styles.facts}>{joined(facts)}</p>
      <Button look="primary" icon={Download} onPress={() => save(contentAddress(token, ""))}>
        {t("files.download")}
      </Button>
    </div>
  );
}
