import type { Formats, Translate } from "~/messages";
import type { Setting } from "./queries";

/** A setting's value as people read it. */
export function settingText(t: Translate, formats: Formats, { value }: Setting): string {
  if (typeof value === "boolean") return t(value ? "admin.yes" : "admin.no");
  if (typeof value === "number") return formats.numberText(value);
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === "" ? t("admin.unset") : text;
}
