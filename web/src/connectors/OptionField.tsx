import { CheckField } from "~/controls/CheckField";
import { ComboBox } from "~/controls/ComboBox";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { firstLine, isSwitch, labelOf, proposalsOf } from "./options";
import type { Option } from "./query";

type Props = {
  option: Option;
  parameters: Record<string, string>;
  isNew: boolean;
  onChange: (value: string) => void;
};

/** One parameter of a provider, by what its schema says of it. */
export function OptionField({ option, parameters, isNew, onChange }: Props) {
  const { t } = useMessages();
  const label = labelOf(option.name);
  const hint = firstLine(option.help);
  const value = parameters[option.name] ?? "";
  if (isSwitch(option)) {
    const isChecked = (value || option.standard) === "true";
    return <CheckField label={label} hint={hint} isChecked={isChecked} onChange={(on) => onChange(String(on))} />;
  }
  const common = { label, value, onChange, isRequired: option.isRequired };
  const told = { hint, ...(option.standard !== "" && { placeholder: option.standard }) };
  const proposals = proposalsOf(option, parameters);
  if (option.isSecret) {
    const kept = isNew ? hint : `${hint} ${t("connectors.keepSecret")}`;
    return <TextField {...common} hint={kept} type="password" autoComplete="new-password" />;
  }
  if (proposals.length > 0) return <ComboBox {...common} {...told} proposals={proposals} />;
  return <TextField {...common} {...told} autoComplete="off" />;
}
