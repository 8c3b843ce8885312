import { AccountForm } from "./AccountForm";
import { PasswordDialog } from "./PasswordDialog";
import type { ManagedAccount } from "./queries";
import { RemoveAccountDialog } from "./RemoveAccountDialog";

export type OpenAccountDialog =
  | { kind: "new" }
  | { kind: "edit"; account: ManagedAccount }
  | { kind: "password"; account: ManagedAccount }
  | { kind: "remove"; account: ManagedAccount };

type Props = { dialog: OpenAccountDialog | null; onClose: () => void };

export function AccountDialogs({ dialog, onClose }: Props) {
  switch (dialog?.kind) {
    case "new":
      return <AccountForm account={null} onClose={onClose} />;
    case "edit":
      return <AccountForm account={dialog.account} onClose={onClose} />;
    case "password":
      return <PasswordDialog account={dialog.account} onClose={onClose} />;
    case "remove":
      return <RemoveAccountDialog account={dialog.account} onClose={onClose} />;
    default:
      return null;
  }
}
