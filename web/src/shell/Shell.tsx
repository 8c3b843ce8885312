import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { AccountContext, sessionQuery } from "~/api/session";
import { ConflictQuestions } from "~/conflicts";
import { Settled } from "~/controls/Settled";
import { Toasts } from "~/controls/Toasts";
import { LiveUpdates } from "~/events";
import { Locations } from "~/locations";
import { useMessages } from "~/messages";
import { Shortcuts } from "~/shortcuts";
import { UploadHost } from "~/uploads";
import { Header } from "./Header";
import { OfflineNote } from "./OfflineNote";
import styles from "./Shell.module.css";

const TasksPanel = lazy(async () => ({ default: (await import("~/tasks/TasksPanel")).TasksPanel }));

/** What stands around every page of those who are signed in; nothing once the session has ended. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  return (
    <AccountContext value={session.account}>
      <Frame />
    </AccountContext>
  );
}

function Frame() {
  const { t } = useMessages();
  const [isSideOpen, setSideOpen] = useState(false);
  const [areTasksOpen, setTasksOpen] = useState(false);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer that led to it
  useEffect(() => setSideOpen(false), [pathname]);
  useEffect(() => {
    void import("~/platform/service-worker").then(({ registerServiceWorker }) => registerServiceWorker());
  }, []);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        {t("app.skip")}
      </a>
      <Header
        isSideOpen={isSideOpen}
        onToggleSide={() => setSideOpen((isOpen) => !isOpen)}
        areTasksOpen={areTasksOpen}
        onToggleTasks={() => setTasksOpen((isOpen) => !isOpen)}
      />
      <OfflineNote />
      <div className={styles.side} data-open={isSideOpen || undefined}>
        <Settled>
          <Locations />
        </Settled>
      </div>
      {isSideOpen && <div className={styles.scrim} onPointerDown={() => setSideOpen(false)} />}
      <main id="page" className={styles.page} tabIndex={-1}>
        <Settled>
          <Outlet />
        </Settled>
      </main>
      {areTasksOpen && (
        <Suspense>
          <TasksPanel onClose={() => setTasksOpen(false)} />
        </Suspense>
      )}
      <Settled>
        <ConflictQuestions />
        <UploadHost />
        <LiveUpdates />
        <Toasts />
        <Shortcuts />
      </Settled>
    </div>
  );
}
