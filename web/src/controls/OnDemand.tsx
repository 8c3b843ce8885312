import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";

type Props = {
  /** Loads a component that begins open, with a button like the one below. */
  load: () => Promise<ComponentType>;
  /** The button before the part is loaded; a press calls `open`. */
  button: (open: () => void) => ReactNode;
};

/** Something that opens by a button, such as a menu, and is loaded when it is opened for the first time. */
export function OnDemand({ load, button }: Props) {
  const [Opened, setOpened] = useState<ComponentType | null>(null);
  const closed = button(() => setOpened(() => lazy(async () => ({ default: await load() }))));
  return Opened ? (
    <Suspense fallback={closed}>
      <Opened />
    </Suspense>
  ) : (
    closed
  );
}
