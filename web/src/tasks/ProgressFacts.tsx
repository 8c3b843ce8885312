import { useMessages } from "~/messages";
import styles from "./TasksPanel.module.css";

type Props = {
  /** Null as long as it is not known. */
  share: number | null;
  facts: readonly (string | false)[];
  bytesPerSecond?: number;
  secondsLeft?: number | null;
  isPaused?: boolean;
};

/** How far something is, how fast it goes, and how long it will take. */
export function ProgressFacts({ share, facts, bytesPerSecond = 0, secondsLeft = null, isPaused = false }: Props) {
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
