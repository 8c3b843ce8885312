import { type ComponentType, type ReactNode, useState } from "react";
import { later } from "./later";

type Props = {
  /** Loads a component that begins open, with a button like the one below. */
  load: () => Promise<ComponentType>;
  /** The button before the part is loaded; a press calls `open`. */
  button: (open: () => void) => ReactNode;
};

/** Something that opens by a button, such as a menu. */
export function OnDemand({ load, button }: Props) {
  const [Opened] = useState(() => later(load, { waiting: button(() => {}) }));
  const [isOpen, setOpen] = useState(false);
  // The button that was pressed keeps the focus until the other is there.
  return isOpen ? <Opened /> : button(() => void Opened.preload().then(() => setOpen(true)));
}
