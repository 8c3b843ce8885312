import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./ShareDialog.module.css";
import type { LinkForm, Wrong } from "./wanted";

type Props = { form: LinkForm; isDirectory: boolean; wrong: Wrong; onChange: (form: LinkForm) => void };

/** What guests may do, and the bounds of it. */
export function LinkFields({ form, isDirectory, wrong, onChange }: Props) {
  const { t } = useMessages();
  const change = (part: Partial<LinkForm>) => onChange({ ...form, ...part });
  const said = (key: Wrong[keyof Wrong]) => (key === undefined ? null : t(key));
  return (
    <div className={styles.fields}>
      {isDirectory && (
        <SelectField
          label={t("links.mode")}
          value={form.mode}
          choices={[
            { value: "read", text: t("links.modeRead") },
            { value: "upload", text: t("links.modeUpload") },
          ]}
          hint={t(form.mode === "read" ? "links.modeReadHint" : "links.modeUploadHint")}
          onChange={(mode) => change({ mode })}
        />
      )}
      <TextField
        label={t("signIn.password")}
        type="password"
        autoComplete="new-password"
        hint={t("links.passwordHint")}
        value={form.password}
        problem={said(wrong.password)}
        onChange={(password) => change({ password })}
      />
      <div className={styles.pair}>
        <TextField
          label={t("links.lastDay")}
          type="date"
          hint={t("links.lastDayHint")}
          value={form.lastDay}
          problem={said(wrong.lastDay)}
          onChange={(lastDay) => change({ lastDay })}
        />
        {form.mode === "read" && (
          <TextField
            label={t("links.limit")}
            inputMode="numeric"
            hint={t("links.limitHint")}
            value={form.mostDownloads}
            problem={said(wrong.mostDownloads)}
            onChange={(mostDownloads) => change({ mostDownloads: mostDownloads.trim() })}
          />
        )}
      </div>
    </div>
  );
}
