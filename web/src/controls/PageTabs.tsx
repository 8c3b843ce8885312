import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import styles from "./PageTabs.module.css";

type Tab = readonly [to: NonNullable<LinkProps["to"]>, text: string];

/** The way between pages that belong together, over each of them. */
export function PageTabs({ label, pages }: { label: string; pages: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  // Where not all pages have room in the row, the one that is open has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another link in the row
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav ref={nav} className={styles.nav} aria-label={label}>
      <ul className={styles.tabs}>
        {pages.map(([to, text]) => (
          <li key={to}>
            <Link className={styles.tab} to={to}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
