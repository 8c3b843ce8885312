import { useState } from "react";
import { NewKeyDialog } from "./NewKeyDialog";
import type { CreatedKey } from "./query";
import { SecretDialog } from "./SecretDialog";

/** Makes a key, then shows its secret for the only time. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedKey | null>(null);
  return made ? <SecretDialog made={made} onClose={onClose} /> : <NewKeyDialog onClose={onClose} onMade={setMade} />;
}
