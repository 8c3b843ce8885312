import { Link } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { Button } from "~/controls/Button";
import { OnDemand } from "~/controls/OnDemand";
import { useMessages, withPageTexts } from "~/messages";
import { at } from "~/platform/base";
import { SearchBox } from "~/search/SearchBox";
import { TasksButton } from "~/tasks/TasksButton";
import { AccountButton } from "./AccountButton";
import styles from "./Header.module.css";

type Props = {
  isSideOpen: boolean;
  onToggleSide: () => void;
  areTasksOpen: boolean;
  onToggleTasks: () => void;
};

export function Header({ isSideOpen, onToggleSide, areTasksOpen, onToggleTasks }: Props) {
  const { t } = useMessages();
  return (
    <header className={styles.header}>
      <span className={styles.toggle}>
        <Button look="quiet" icon={Menu} iconOnly aria-expanded={isSideOpen} onPress={onToggleSide}>
          {t("shell.menu")}
        </Button>
      </span>
      <Link className={styles.brand} to="/files/">
        <img src={at("/icon.svg")} alt="" width={24} height={24} />
        {t("app.name")}
      </Link>
      <SearchBox />
      <div className={styles.end}>
        <TasksButton isOpen={areTasksOpen} onToggle={onToggleTasks} />
        <OnDemand
          load={() => withPageTexts(async () => (await import("./AccountMenu")).AccountMenu)}
          button={(open) => <AccountButton aria-haspopup="menu" aria-expanded={false} onPress={open} />}
        />
      </div>
    </header>
  );
}
