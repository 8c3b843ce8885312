import { lazy, Suspense } from "react";
import { useAsked } from "./questions";

const ConflictDialog = lazy(async () => ({ default: (await import("./ConflictDialog")).ConflictDialog }));

/** The question about a taken name that is open, on whatever page that is. */
export function ConflictQuestions() {
  const asked = useAsked();
  return (
    asked && (
      <Suspense>
        <ConflictDialog asked={asked} />
      </Suspense>
    )
  );
}
