import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { Menu } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { MenuItem } from "./Menu";
import styles from "./Menu.module.css";
import type { MenuPlace } from "./useContextMenu";

export type MenuAction = { text: string; icon: LucideIcon; isPossible?: boolean; run: () => void };
type Props = { place: MenuPlace; label: string; actions: readonly MenuAction[]; onClose: () => void };

/** The menu of a row, where it was asked for. */
export function ContextMenu({ place, label, actions, onClose }: Props) {
  const point = useRef<HTMLSpanElement>(null);
  const chosen = useRef<MenuAction | null>(null);
  // As long as the menu is there, nothing else takes the focus, which a field for a new name wants.
  useEffect(() => () => void setTimeout(() => chosen.current?.run()), []);
  return (
    <>
      <span ref={point} className={styles.point} style={{ transform: `translate(${place.x}px, ${place.y}px)` }} />
      <Popover
        className={styles.popover ?? ""}
        triggerRef={point}
        aria-label={label}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
        offset={2}
      >
        <Menu className={styles.menu ?? ""} aria-label={label} autoFocus="first" onClose={onClose}>
          {actions.map((action) => (
            <MenuItem
              key={action.text}
              icon={action.icon}
              isDisabled={action.isPossible === false}
              onAction={() => {
                chosen.current = action;
              }}
            >
              {action.text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </>
  );
}
