import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Keyboard, Link2, LogOut, Settings, Settings2, Trash2 } from "lucide-react";
import { sentenceKey } from "~/api/problem";
import { useAccount } from "~/api/session";
import { signOut } from "~/api/sign-out";
import { MenuButton, MenuChoice, MenuItem } from "~/controls/Menu";
import { showToast } from "~/controls/toast-store";
import { LANGUAGES, type Language, useMessages } from "~/messages";
import { showShortcuts } from "~/shortcuts/store";
import { chooseTheme, useTheme } from "~/theme/theme";
import { AccountButton } from "./AccountButton";

/** Theme, language, and signing out; pages of settings stand in it too. Open from the first. */
export function AccountMenu() {
  const { t, language, choose } = useMessages();
  const account = useAccount();
  const client = useQueryClient();
  const router = useRouter();
  const theme = useTheme();
  const leave = async () => {
    try {
      await signOut(client);
      await router.navigate({ to: "/sign-in" });
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    }
  };
  return (
    <MenuButton defaultOpen button={<AccountButton />} label={t("shell.account", { name: account.displayName })}>
      <MenuItem icon={Link2} onAction={() => void router.navigate({ to: "/links" })}>
        {t("links.title")}
      </MenuItem>
      <MenuItem icon={Trash2} onAction={() => void router.navigate({ to: "/bin" })}>
        {t("bin.title")}
      </MenuItem>
      <MenuItem icon={Settings} onAction={() => void router.navigate({ to: "/settings/account" })}>
        {t("settings.title")}
      </MenuItem>
      {account.role === "admin" && (
        <MenuItem icon={Settings2} onAction={() => void router.navigate({ to: "/admin/accounts" })}>
          {t("admin.title")}
        </MenuItem>
      )}
      <MenuChoice
        title={t("shell.theme")}
        value={theme}
        choices={[
          { value: "system", text: t("shell.themeSystem") },
          { value: "light", text: t("shell.themeLight") },
          { value: "dark", text: t("shell.themeDark") },
        ]}
        onChoose={chooseTheme}
      />
      <MenuChoice
        title={t("shell.language")}
        value={language}
        choices={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value: value as Language, text: name }))}
        onChoose={(chosen) => void choose(chosen)}
      />
      <MenuItem icon={Keyboard} onAction={() => showShortcuts(true)}>
        {t("shortcuts.title")}
      </MenuItem>
      <MenuItem icon={LogOut} onAction={() => void leave()}>
        {t("signIn.signOut")}
      </MenuItem>
    </MenuButton>
  );
}
