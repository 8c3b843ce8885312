import { getRouteApi } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { EmptyState } from "~/controls/EmptyState";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";
import styles from "./AuthorizedPage.module.css";
import type { Arrival } from "./consent";

const route = getRouteApi("/settings/connectors/authorized");

const TEXTS = {
  "handed on": ["connectors.sentBack", "connectors.sentBackHint"],
  unexpected: ["connectors.unexpected", "connectors.unexpectedHint"],
  senseless: ["connectors.senseless", "connectors.unexpectedHint"],
} as const satisfies Record<Arrival, unknown>;

/** Where a drive's provider sends people back to: the window where the login was begun goes on. */
export function AuthorizedPage(): ReactNode {
  const { t } = useMessages();
  const arrival: Arrival = route.useLoaderData();
  const isGood = arrival === "handed on";
  const [title, hint] = TEXTS[arrival];
  useEffect(() => {
    // Some browsers do not let a window end itself that has been elsewhere.
    if (isGood) window.close();
  }, [isGood]);
  return (
    <main className={styles.page}>
      <PageTitle text={t("connectors.authorizedTitle")} isHeading />
      <EmptyState
        icon={isGood ? CircleCheck : CircleAlert}
        tone={isGood ? "info" : "danger"}
        title={t(title)}
        hint={t(hint)}
      />
    </main>
  );
}
