import { type Formats, joined, type Translate } from "~/messages";

/** What is said of an account, by the word that the log has for it. */
const PARTS: Record<string, (value: string, t: Translate, formats: Formats) => string> = {
  displayName: (_, t) => t("admin.displayName"),
  password: (_, t) => t("signIn.password"),
  role: (value, t) => `${t("admin.role")}: ${t(value === "admin" ? "admin.roleAdmin" : "admin.roleUser")}`,
  disabled: (value, t) => `${t("admin.disabled")}: ${t(value === "true" ? "admin.yes" : "admin.no")}`,
  quota: (value, t, formats) =>
    `${t("admin.quota")}: ${value === "0" ? t("admin.unlimited") : formats.size(Number(value))}`,
};

/** An event's details of an account as people read them; what has no words here stays as the log has it. */
export function accountDetails(details: string, t: Translate, formats: Formats): string {
  if (details === "") return "";
  const parts = details.split(", ").map((part) => {
    const [word = "", value = ""] = part.split("=", 2);
    return PARTS[word]?.(value, t, formats) ?? part;
  });
  return joined(parts);
}
