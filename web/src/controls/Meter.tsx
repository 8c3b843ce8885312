import styles from "./Meter.module.css";

/** From this share of its limit on something is soon full. */
export const NEARLY_FULL = 0.9;

/** How much of a limit is used, for the eye alone: words beside it say the same. */
export function Meter({ share }: { share: number }) {
  return (
    <div className={styles.track} aria-hidden>
      <div
        className={styles.bar}
        data-full={share >= NEARLY_FULL || undefined}
        style={{ inlineSize: `${Math.min(share, 1) * 100}%` }}
      />
    </div>
  );
}
