import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CircleAlert, Link2Off } from "lucide-react";
import { lazy, Suspense } from "react";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/RowsSkeleton";
import { useMessages } from "~/messages";
import type { GuestLink } from "./api";
import { GuestFile } from "./GuestFile";
import { GuestFrame } from "./GuestFrame";
import { PasswordForm } from "./PasswordForm";
import { guestLinkQuery } from "./query";

const GuestFolder = lazy(async () => ({ default: (await import("./GuestFolder")).GuestFolder }));
const GuestUploads = lazy(async () => ({ default: (await import("./GuestUploads")).GuestUploads }));

/** What a share link opens, for somebody without an account. */
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
  const name = link.name ?? "";
  return (
    <GuestFrame link={link}>
      <Suspense fallback={<RowsSkeleton />}>
        {link.mode === "upload" && <GuestUploads token={token} name={name} />}
        {link.mode === "read" && link.isDirectory && <GuestFolder key={path} token={token} path={path} name={name} />}
        {link.mode === "read" && !link.isDirectory && <GuestFile token={token} link={link} />}
      </Suspense>
    </GuestFrame>
  );
}
