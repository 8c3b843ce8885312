import { Link2, Users } from "lucide-react";
import { sharedMarks } from "~/model/shared-marks";

/** Tells that an own item is shared, and with whom. */
export function SharedMark({ path, className }: { path: string; className: string | undefined }) {
  const mark = sharedMarks.use().get(path);
  if (!mark) return null;
  const Icon = mark.isWithPeople ? Users : Link2;
  return (
    <span role="img" className={className} aria-label={mark.text} title={mark.text}>
      <Icon size={16} aria-hidden />
    </span>
  );
}
