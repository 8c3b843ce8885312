import { later } from "~/controls/later";
import { withPageTexts } from "~/messages";
import { useAsked } from "./questions";

const ConflictDialog = later(() => withPageTexts(async () => (await import("./ConflictDialog")).ConflictDialog));

/** The question about a taken name that is open, on whatever page that is. */
export function ConflictQuestions() {
  const asked = useAsked();
  return asked && <ConflictDialog asked={asked} />;
}
