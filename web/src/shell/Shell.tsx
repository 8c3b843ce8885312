import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { CloudOff } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useIsReached, useWhenBack } from "~/api/reach";
import { AccountContext, sessionQuery } from "~/api/session";
import { ConflictQuestions } from "~/conflicts/ConflictQuestions";
import { later } from "~/controls/later";
import { Toasts } from "~/controls/Toasts";
import { Locations } from "~/locations/Locations";
import { useMessages, withPageTexts } from "~/messages";
import { Shortcuts } from "~/shortcuts/Shortcuts";
import { UploadHost } from "~/uploads/UploadHost";
import { Header } from "./Header";
import styles from "./Shell.module.css";

// It comes behind the list.
const LiveUpdates = later(async () => (await import("~/events/LiveUpdates")).LiveUpdates);
const TasksPanel = later(() => withPageTexts(async () => (await import("~/tasks/TasksPanel")).TasksPanel));

/** The frame around every page of a signed-in person; empty once the session has ended. */
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
  const showTasks = useCallback(() => setTasksOpen(true), []);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer that led to it
  useEffect(() => setSideOpen(false), [pathname]);
  useEffect(() => {
    const registered = import("~/platform/service-worker").then((module) => module.registerServiceWorker());
    // Where it cannot be loaded, this page does without.
    registered.catch(() => {});
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
        <Locations />
      </div>
      {isSideOpen && <div className={styles.scrim} onPointerDown={() => setSideOpen(false)} />}
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      {areTasksOpen && <TasksPanel onClose={() => setTasksOpen(false)} />}
      <ConflictQuestions />
      <UploadHost onShow={showTasks} />
      <LiveUpdates />
      <Toasts />
      <Shortcuts />
    </div>
  );
}

/** Says that the server is not reached, and looks at all that is shown again when it is. */
export function OfflineNote() {
  const { t } = useMessages();
  const client = useQueryClient();
  const isReached = useIsReached();
  useWhenBack(() => void client.invalidateQueries());
  return (
    <div className={styles.note} role="status" data-shown={!isReached || undefined}>
      {!isReached && (
        <>
          <CloudOff size={16} aria-hidden />
          <span>{t("app.offline")}</span>
        </>
      )}
    </div>
  );
}
