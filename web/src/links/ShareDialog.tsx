import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { isPlain, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { LinkFields } from "./LinkFields";
import { LinksOfItem } from "./LinksOfItem";
import { MadeLink } from "./MadeLink";
import type { Link } from "./query";
import styles from "./ShareDialog.module.css";
import { EMPTY_FORM, wantedLink, wrongIn } from "./wanted";

type Props = { path: string; name: string; isDirectory: boolean; onClose: () => void };

/** Makes a link on a file or folder, and shows those that there are. */
export function ShareDialog({ path, name, isDirectory, onClose }: Props) {
  const { t } = useMessages();
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
    <Dialog title={t("links.shareTitle", { name })} size="medium" onClose={onClose}>
      {made ? (
        <MadeLink link={made} onClose={onClose} />
      ) : (
        <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          <LinkFields form={form} isDirectory={isDirectory} wrong={wrong} onChange={setForm} />
          <p className={styles.problem} role="alert">
            {problem !== null && (isPlain(problem) ? problem.message : t(sentenceKey(problem)))}
          </p>
          <DialogButtons>
            <Button onPress={onClose}>{t("app.cancel")}</Button>
            <Button type="submit" look="primary">
              {t("links.create")}
            </Button>
          </DialogButtons>
        </form>
      )}
      <LinksOfItem path={path} except={made?.id ?? null} />
    </Dialog>
  );
}
