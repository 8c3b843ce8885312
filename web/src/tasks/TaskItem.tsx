import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { refusalText, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { joined, useMessages } from "~/messages";
import { locationsQuery, partsOf, useFolderName } from "~/model/locations";
import { dropTask, failureText, isUnderWay, restartTask, type Task } from "~/model/tasks";
import styles from "./TasksPanel.module.css";

/** How far it is, by bytes where it moves some; null before that is known. */
function shareDone({ bytesDone, bytesTotal, itemsDone, itemsTotal }: Task): number | null {
  if (bytesTotal > 0) return bytesDone / bytesTotal;
  return itemsTotal > 0 ? itemsDone / itemsTotal : null;
}

const MOST_NAMES = 3;

/** A task of the server. */
export function TaskItem({ task }: { task: Task }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const folderName = useFolderName();
  const { data: locations = [] } = useQuery(locationsQuery);
  const drop = useMutation({
    mutationFn: () => dropTask(client, task.id),
    onError: (error) => showToast({ text: t(sentenceKey(error)), tone: "danger" }),
  });
  const restart = useMutation({
    mutationFn: () => restartTask(client, task.id),
    onError: (error) => showToast({ text: t(sentenceKey(error)), tone: "danger" }),
  });
  const names = task.sources.slice(0, MOST_NAMES).map(folderName);
  const more = task.sourceCount - names.length;
  const left = task.skipped.map((item) => ({
    name: partsOf(item.path, locations).join("/"),
    reason: refusalText(t, { ...item, message: item.reason }),
  }));
  return (
    <li className={styles.task}>
      <div className={styles.title}>
        <p>{t(`tasks.${task.kind}`, { count: task.sourceCount })}</p>
        <p className={styles.note}>{joined(more > 0 ? [...names, t("tasks.leftMore", { count: more })] : names)}</p>
        {task.destination !== null && (
          <p className={styles.note}>{t("tasks.to", { folder: folderName(task.destination) })}</p>
        )}
      </div>
      {isUnderWay(task) ? (
        <Button onPress={() => drop.mutate()} isDisabled={drop.isPending}>
          {t("tasks.cancel")}
        </Button>
      ) : (
        <Button look="quiet" icon={X} iconOnly onPress={() => drop.mutate()} isDisabled={drop.isPending}>
          {t("tasks.dismiss")}
        </Button>
      )}
      {isUnderWay(task) ? <Running task={task} /> : <Ended task={task} />}
      {task.canRestart && (
        <Button onPress={() => restart.mutate()} isDisabled={restart.isPending}>
          {t("tasks.restart")}
        </Button>
      )}
      <LeftOut left={left} count={task.skippedCount} />
    </li>
  );
}

function Running({ task }: { task: Task }) {
  const { t, formats } = useMessages();
  const items = { done: formats.numberText(task.itemsDone), total: formats.numberText(task.itemsTotal) };
  const bytes = { done: formats.size(task.bytesDone), total: formats.size(task.bytesTotal) };
  if (task.state === "waiting") return <ProgressFacts share={null} facts={[t("tasks.waiting")]} />;
  return (
    <ProgressFacts
      share={shareDone(task)}
      bytesPerSecond={task.bytesPerSecond}
      secondsLeft={task.secondsLeft}
      facts={[task.itemsTotal > 1 && t("tasks.itemsOf", items), task.bytesTotal > 0 && t("tasks.doneOf", bytes)]}
    />
  );
}

function Ended({ task }: { task: Task }) {
  const { t } = useMessages();
  switch (task.state) {
    case "failed":
      return <p className={styles.wrong}>{t("tasks.failed", { reason: failureText(t, task) })}</p>;
    case "interrupted":
      return <p className={styles.wrong}>{t("tasks.interrupted")}</p>;
    case "cancelled":
      return <p className={styles.note}>{t("tasks.cancelled")}</p>;
    default:
      return <p className={styles.note}>{t("tasks.done")}</p>;
  }
}

type LeftOutProps = { left: readonly { name: string; reason: string }[]; count: number };

/** The skipped items, and the reasons. */
export function LeftOut({ left, count }: LeftOutProps) {
  const { t } = useMessages();
  if (count === 0) return null;
  const more = count - left.length;
  return (
    <details className={styles.left} open={count <= 3}>
      <summary>{t("tasks.left", { count })}</summary>
      <ul>
        {left.map(({ name, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else of their own, and only grow
          <li key={index}>
            <bdi>{name}</bdi>: {reason}
          </li>
        ))}
        {more > 0 && <li>{t("tasks.leftMore", { count: more })}</li>}
      </ul>
    </details>
  );
}

type ProgressFactsProps = {
  /** Null as long as it is not known. */
  share: number | null;
  facts: readonly (string | false)[];
  bytesPerSecond?: number;
  secondsLeft?: number | null;
  isPaused?: boolean;
};

/** How far something is, how fast it goes, and how long it will take. */
export function ProgressFacts({
  share,
  facts,
  bytesPerSecond = 0,
  secondsLeft = null,
  isPaused = false,
}: ProgressFactsProps) {
  const { t, formats } = useMessages();
  const all = [
    ...facts,
    bytesPerSecond > 0 && t("tasks.speed", { size: formats.size(bytesPerSecond) }),
    secondsLeft !== null && t("tasks.timeLeft", { time: formats.duration(secondsLeft) }),
  ];
  return (
    <>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={t("tasks.progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share !== null && { "aria-valuenow": Math.floor(share * 100) })}
        data-unknown={share === null || undefined}
        data-paused={isPaused || undefined}
      >
        <div className={styles.bar} style={{ inlineSize: `${(share ?? 1) * 100}%` }} />
      </div>
      <p className={styles.note}>{all.filter(Boolean).join(" · ")}</p>
    </>
  );
}
