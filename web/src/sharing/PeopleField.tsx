import { useQuery } from "@tanstack/react-query";
import { CircleUser, Users, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";
import { sentenceKey } from "~/api/problem";
import { FinderField } from "~/controls/FinderField";
import { useMedia } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import styles from "./PeopleField.module.css";
import { LEAST_LETTERS, type Person, peopleQuery, receiverKey } from "./shares";

/** Somebody who types on is not asked for at each letter. */
const PAUSE_MS = 150;

type Props = {
  text: string;
  onText: (text: string) => void;
  chosen: readonly Person[];
  onChosen: (chosen: Person[]) => void;
  problem: string | null;
};

/** Finds people and groups by their names, and holds those that are chosen. */
export function PeopleField({ text, onText, chosen, onChosen, problem }: Props) {
  const { t } = useMessages();
  // A keyboard on the screen would cover the dialog before anybody has seen it.
  const isTouch = useMedia("(pointer: coarse)");
  const wanted = useSettled(text.trim(), PAUSE_MS);
  const { data = [], error, isFetching } = useQuery(peopleQuery(wanted));
  const isLong = [...text.trim()].length >= LEAST_LETTERS;
  // Enter chooses the only one, who must not be the one of another name.
  const isOfText = wanted === text.trim();
  const isChosen = new Set(chosen.map(receiverKey));
  const people = isLong && isOfText ? data.filter((person) => !isChosen.has(receiverKey(person))) : [];
  const choose = (key: string) => {
    const person = people.find((one) => receiverKey(one) === key);
    if (!person) return;
    onChosen([...chosen, person]);
    onText("");
  };
  const none = () => {
    if (!isLong) return t("sharing.peopleHint");
    if (error !== null) return t(sentenceKey(error));
    return isFetching || !isOfText ? t("sharing.looking") : t("sharing.nobody");
  };
  return (
    <div className={styles.field}>
      <FinderField
        autoFocus={!isTouch}
        label={t("sharing.people")}
        hint={t("sharing.peopleHint")}
        problem={problem}
        text={text}
        onText={onText}
        none={none()}
        onChoose={choose}
        found={people.map((person) => ({
          id: receiverKey(person),
          text: person.displayName,
          hint: person.group === null ? (person.account ?? "") : t("sharing.group"),
          icon: person.group === null ? CircleUser : Users,
        }))}
      />
      <Chosen
        people={chosen}
        onRemove={(keys) => onChosen(chosen.filter((person) => !keys.has(receiverKey(person))))}
      />
    </div>
  );
}

type ChosenProps = { people: readonly Person[]; onRemove: (keys: ReadonlySet<string | number>) => void };

/** Those that are chosen, each with a button that takes it back. */
function Chosen({ people, onRemove }: ChosenProps) {
  const { t } = useMessages();
  if (people.length === 0) return null;
  return (
    <TagGroup aria-label={t("sharing.chosen")} onRemove={onRemove}>
      <TagList className={styles.chosen ?? ""}>
        {people.map((person) => (
          <Tag
            key={receiverKey(person)}
            id={receiverKey(person)}
            textValue={person.displayName}
            className={styles.tag ?? ""}
          >
            <bdi>{person.displayName}</bdi>
            <Button slot="remove" className={styles.remove ?? ""}>
              <X size={14} aria-hidden />
            </Button>
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  );
}

/** The value as soon as it has stayed the same for a while. */
function useSettled(value: string, pauseMs: number): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
