import { useMessages } from "~/messages";
import styles from "./TasksPanel.module.css";

type Props = { left: readonly { name: string; reason: string }[]; count: number };

/** What was left as it was, and why. */
export function LeftOut({ left, count }: Props) {
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
