import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { joined, useMessages } from "~/messages";
import { locationOf, locationsQuery } from "~/model/locations";
import { nameOf } from "~/model/path";
import { AccessField } from "./AccessField";
import { AccessList } from "./AccessList";
import { PeopleField } from "./PeopleField";
import styles from "./ShareDialog.module.css";
import { type Access, type Person, shareWith } from "./shares";

type Props = { path: string; isDirectory: boolean };

/** Shares an item with people and groups, and shows who has access to it. */
export function PeopleSection({ path, isDirectory }: Props) {
  const { t } = useMessages();
  const heading = useId();
  const { data: locations = [] } = useQuery(locationsQuery);
  const isOwn = locationOf(locations, path)?.kind === "own";
  return (
    <section className={styles.way} aria-labelledby={heading}>
      <h3 id={heading} className={styles.heading}>
        {t("sharing.withPeople")}
      </h3>
      {isOwn ? (
        <>
          <PeopleForm path={path} isDirectory={isDirectory} />
          <AccessList path={path} isDirectory={isDirectory} />
        </>
      ) : (
        locations.length > 0 && <p className={styles.hint}>{t("sharing.notOwn")}</p>
      )}
    </section>
  );
}

function PeopleForm({ path, isDirectory }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const [access, setAccess] = useState<Access>("read");
  const [isUnknown, setUnknown] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    const isNobody = chosen.length === 0 || text.trim() !== "";
    setUnknown(isNobody);
    if (isNobody || isBusy) return;
    setBusy(true);
    let left = chosen;
    try {
      for (const person of chosen) {
        await shareWith(client, path, person, access);
        left = left.filter((one) => one !== person);
      }
      showToast({
        text: t("sharing.shared", { item: nameOf(path), names: joined(chosen.map((one) => one.displayName)) }),
      });
    } catch (error) {
      setProblem(error);
    } finally {
      // Those whom the server refused stay, to be tried again.
      setChosen(left);
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <PeopleField
        text={text}
        onText={(typed) => {
          setText(typed);
          setUnknown(false);
        }}
        chosen={chosen}
        onChosen={setChosen}
        problem={isUnknown ? t("sharing.chooseListed") : null}
      />
      <AccessField isDirectory={isDirectory} access={access} onChange={setAccess} />
      <p className={styles.problem} role="alert">
        {problem !== null && problemText(t, problem, ["malformed", "rate_limited", "not_found", "forbidden"])}
      </p>
      <DialogButtons>
        <Button type="submit" look="primary">
          {t("links.share")}
        </Button>
      </DialogButtons>
    </form>
  );
}
