import { useQuery } from "@tanstack/react-query";
import { Copy, Link2Off } from "lucide-react";
import { Button } from "~/controls/Button";
import { joined, useMessages } from "~/messages";
import { factsOf } from "./facts";
import { linksQuery } from "./query";
import styles from "./ShareDialog.module.css";
import { useLinkCommands } from "./useLinkCommands";

/** The links that an item has already. */
export function LinksOfItem({ path, except }: { path: string; except: string | null }) {
  const { t, formats } = useMessages();
  const { copy, end } = useLinkCommands();
  const { data = [] } = useQuery(linksQuery);
  const links = data.filter((link) => link.path === path && link.id !== except);
  if (links.length === 0) return null;
  return (
    <section className={styles.others} aria-labelledby="links-of-item">
      <h3 id="links-of-item" className={styles.othersTitle}>
        {t("links.others")}
      </h3>
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.id} className={styles.other}>
            <span className={styles.facts}>{joined(factsOf(link, t, formats))}</span>
            <Button look="quiet" icon={Copy} iconOnly isDisabled={link.token === null} onPress={() => void copy(link)}>
              {t("links.copy")}
            </Button>
            <Button look="quiet" icon={Link2Off} iconOnly onPress={() => void end(link)}>
              {t("links.end")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
