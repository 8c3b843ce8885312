import { useEffect, useState } from "react";
import { watchUnconfirmed } from "~/api/confirmation";
import { later } from "~/controls/later";
import { withPageTexts } from "~/messages";

const ConfirmationDialog = later(() =>
  withPageTexts(async () => (await import("./ConfirmationDialog")).ConfirmationDialog),
);

/** Asks who is there when a request wants that it was asked lately. Several that wait get the same answer. */
export function Confirmation() {
  const [waiting, setWaiting] = useState<((isConfirmed: boolean) => void)[]>([]);
  useEffect(() => watchUnconfirmed(() => new Promise((resolve) => setWaiting((others) => [...others, resolve]))), []);
  if (waiting.length === 0) return null;
  const end = (isConfirmed: boolean) => {
    for (const resolve of waiting) resolve(isConfirmed);
    setWaiting([]);
  };
  return <ConfirmationDialog onEnd={end} />;
}
