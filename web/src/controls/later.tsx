import { CircleAlert } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Problem } from "~/api/problem";
import { lookForServer, serverIsReached, useIsReached } from "~/api/reach";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";
import { PageTitle } from "./PageTitle";
import { showToast } from "./toast-store";

type Options = {
  /** Stands in its place until it is there. */
  waiting?: ReactNode;
  /** It fills a page, or a place on one, where it is told that it is missing; else a toast tells it. */
  fills?: "page" | "place";
  /** It is loaded only when it is shown. */
  isLarge?: boolean;
};

/** Why a part is missing: the server is away, or has been renewed and has other parts. */
type Lack = "app.partAway" | "problem.renewed";

/** So long a busy browser is waited for. */
const IDLE_MS = 2_000;

const somebodyIsThere = new Promise<void>((resolve) => {
  for (const sign of ["pointermove", "pointerdown", "keydown"]) {
    window.addEventListener(sign, () => resolve(), { once: true, capture: true });
  }
});

/** Loads beforehand what a person may want soon: once somebody is there, and the browser has nothing else to do. */
export async function loadSoon(load: () => Promise<unknown>): Promise<void> {
  await somebodyIsThere;
  const begin = () => void load().catch(() => {});
  // Safari has none of the first.
  if (window.requestIdleCallback) window.requestIdleCallback(begin, { timeout: IDLE_MS });
  else window.setTimeout(begin);
}

async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  // Browsers may keep a failure as long as the page lives: nothing is tried that has to fail.
  if (!serverIsReached()) throw Problem.offline("");
  try {
    return await load();
  } catch (cause) {
    await lookForServer();
    throw serverIsReached() ? new Problem("renewed", String(cause)) : Problem.offline(cause);
  }
}

/** A module that is loaded when it is used, or shortly before. Throws a Problem if it cannot be loaded. */
export function laterModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  const own = () => loadPart(load);
  void loadSoon(own);
  return own;
}

/** A component that is loaded when it is shown, or shortly before. Without it the rest of the page stays. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, options: Options = {}) {
  const { waiting = null, fills, isLarge = false } = options;
  let Part: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const preload = async (): Promise<void> => {
    try {
      loading ??= loadPart(load);
      Part = await loading;
    } catch {
      loading = null;
    }
  };
  // biome-ignore lint/correctness/noComponentHookFactories: it is made once, when its module is loaded
  function Later(props: Props) {
    const isReached = useIsReached();
    const [{ lack }, show] = useState<{ lack: Lack | null }>({ lack: null });
    // biome-ignore lint/correctness/useExhaustiveDependencies: when the server is back it is tried again
    useEffect(() => {
      // It may have come since this was drawn.
      if (Part) return show({ lack: null });
      void preload().then(() => show({ lack: Part ? null : serverIsReached() ? "problem.renewed" : "app.partAway" }));
    }, [isReached]);
    if (Part) return <Part {...props} />;
    if (fills && lack) return <MissingPlace lack={lack} isPage={fills === "page"} />;
    return (
      <>
        {waiting}
        {lack && <MissingToast lack={lack} />}
      </>
    );
  }
  if (!isLarge) void loadSoon(preload);
  return Object.assign(Later, { preload });
}

const loadAgain = () => window.location.reload();

function MissingPlace({ lack, isPage }: { lack: Lack; isPage: boolean }) {
  const { t } = useMessages();
  return (
    <>
      {isPage && <PageTitle text={t("app.failed")} isHeading />}
      <EmptyState icon={CircleAlert} tone="danger" title={t(lack)}>
        {lack === "problem.renewed" && <Button onPress={loadAgain}>{t("app.loadAgain")}</Button>}
      </EmptyState>
    </>
  );
}

function MissingToast({ lack }: { lack: Lack }) {
  const { t } = useMessages();
  useEffect(() => {
    const action = lack === "problem.renewed" ? { text: t("app.loadAgain"), run: loadAgain } : null;
    showToast({ text: t(lack), tone: "danger", action });
  }, [lack, t]);
  return null;
}
