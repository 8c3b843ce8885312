import { RadioGroup } from "~/controls/RadioGroup";
import { SelectField } from "~/controls/SelectField";
import { LANGUAGES, type Language, useMessages } from "~/messages";
import { chooseTheme, useTheme } from "~/theme/theme";

/** Language and theme, which stay on the device. */
export function Appearance() {
  const { t, language, choose } = useMessages();
  const theme = useTheme();
  return (
    <>
      <SelectField
        label={t("shell.language")}
        value={language}
        choices={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value: value as Language, text: name }))}
        onChange={(chosen) => void choose(chosen)}
      />
      <RadioGroup
        label={t("shell.theme")}
        value={theme}
        choices={[
          { value: "system", text: t("shell.themeSystem") },
          { value: "light", text: t("shell.themeLight") },
          { value: "dark", text: t("shell.themeDark") },
        ]}
        onChange={chooseTheme}
      />
    </>
  );
}
