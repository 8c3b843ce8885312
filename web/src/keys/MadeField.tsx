import { CheckField } from "~/controls/CheckField";
import { joined } from "~/messages";

const MOST_NAMES = 10;

type Props = {
  label: string;
  /** Of what is to end too. */
  names: readonly string[];
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

/** Whether what was made with a key is to end too. */
export function MadeField({ label, names, isChecked, onChange }: Props) {
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), "…"] : names;
  return <CheckField label={label} hint={joined(shown)} isChecked={isChecked} onChange={onChange} />;
}
