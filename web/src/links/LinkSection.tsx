import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy, Link2Off } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { joined, useMessages } from "~/messages";
import { type Link, linksQuery } from "~/model/links";
import styles from "./LinkSection.module.css";
import {
  addressOf,
  EMPTY_FORM,
  factsOf,
  type LinkForm,
  useLinkCommands,
  type Wrong,
  wantedLink,
  wrongIn,
} from "./query";

type LinkSectionProps = { path: string; isDirectory: boolean };

/** Makes a link on a file or folder, and shows those that there are. */
export function LinkSection({ path, isDirectory }: LinkSectionProps) {
  const { t } = useMessages();
  const heading = useId();
  const client = useQueryClient();
  const [form, setForm] = useState(EMPTY_FORM);
  const [isChecked, setChecked] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Link | null>(null);
  const wrong = isChecked ? wrongIn(form, new Date()) : {};
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setProblem(null);
    if (isBusy || Object.keys(wrongIn(form, new Date())).length > 0) return;
    setBusy(true);
    try {
      setMade(await answerOf(v2.POST("/api/v2/links", { body: wantedLink(path, form) })));
      void client.invalidateQueries({ queryKey: keys.links });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h3 id={heading} className={styles.title}>
        {t("sharing.byLink")}
      </h3>
      {made ? (
        <MadeLink link={made} />
      ) : (
        <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          <LinkFields form={form} isDirectory={isDirectory} wrong={wrong} onChange={setForm} />
          <p className={styles.problem} role="alert">
            {problem !== null && problemText(t, problem)}
          </p>
          <DialogButtons>
            <Button type="submit">{t("links.create")}</Button>
          </DialogButtons>
        </form>
      )}
      <LinksOfItem path={path} except={made?.id ?? null} />
    </section>
  );
}

type LinkFieldsProps = { form: LinkForm; isDirectory: boolean; wrong: Wrong; onChange: (form: LinkForm) => void };

/** The fields of a link: rights and restrictions. */
function LinkFields({ form, isDirectory, wrong, onChange }: LinkFieldsProps) {
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

/** The links that an item has already. */
function LinksOfItem({ path, except }: { path: string; except: string | null }) {
  const { t, formats } = useMessages();
  const { copy, end } = useLinkCommands();
  const { data = [] } = useQuery(linksQuery);
  const links = data.filter((link) => link.path === path && link.id !== except);
  if (links.length === 0) return null;
  return (
    <section className={styles.others} aria-labelledby="links-of-item">
      <h4 id="links-of-item" className={styles.title}>
        {t("links.others")}
      </h4>
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.id} className={styles.other}>
            <span className={styles.facts}>{joined(factsOf(link, t, formats))}</span>
            <Button look="quiet" icon={Copy} iconOnly isDisabled={link.token === null} onPress={() => void copy(link)}>
              {t("links.copy")}
            </Button>
            <Button look="quiet" icon={Link2Off} iconOnly onPress={() => void end(link)}>
              {t("links.end")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link that was just made, ready to be passed on. */
function MadeLink({ link }: { link: Link }) {
  const { t, formats } = useMessages();
  const { copy } = useLinkCommands();
  return (
    <div className={styles.form}>
      <TextField label={t("links.address")} isReadOnly value={addressOf(link) ?? ""} />
      <p className={styles.facts}>{joined(factsOf(link, t, formats))}</p>
      {link.hasPassword && <p>{t("links.tellPassword")}</p>}
      <DialogButtons>
        <Button autoFocus look="primary" icon={Copy} onPress={() => void copy(link)}>
          {t("links.copy")}
        </Button>
      </DialogButtons>
    </div>
  );
}
