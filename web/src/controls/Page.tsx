import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { type PlainKey, useMessages } from "~/messages";
import styles from "./Page.module.css";
import { PageTitle } from "./PageTitle";

type Props = {
  title: string;
  /** The page's purpose, if it is not obvious. */
  intro?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Buttons for the list below; it does not scroll. */
  toolbar?: ReactNode;
  children: ReactNode;
};

/** A page with a title, which scrolls below it. */
export function Page({ title, intro, actions, toolbar, children }: Props) {
  return (
    <div className={styles.page}>
      <PageTitle text={title} />
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {toolbar}
      <div className={styles.content}>{children}</div>
    </div>
  );
}

type Tab = { path: NonNullable<LinkProps["to"]>; title: PlainKey };

/** Links between pages that belong together, shown above each of them. */
export function PageTabs({ label, pages }: { label: string; pages: readonly Tab[] }) {
  const { t } = useMessages();
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
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link className={styles.tab} to={path}>
              {t(title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
