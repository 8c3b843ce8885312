import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";

type Props = {
  /** What is there at once, and costs little. */
  first?: ReactNode;
  /** Of what is mounted often: rendered at once where one of this name was rendered before. */
  once?: string;
  children: ReactNode;
};

const rendered = new Set<string>();

/**
 * Something large, rendered for the first time by itself, after what stands around it: between the two the browser paints
 * and answers. React's own deferred rendering works for 25 ms at a time, which is 100 on a phone.
 */
export function Settled({ first = null, once, children }: Props) {
  const [isTime, setTime] = useState(once !== undefined && rendered.has(once));
  useEffect(() => {
    if (once) rendered.add(once);
    if (isTime) return;
    // At once, or React would render several that become due together in one go.
    const timer = setTimeout(() => flushSync(() => setTime(true)));
    return () => clearTimeout(timer);
  }, [isTime, once]);
  return isTime ? children : first;
}
