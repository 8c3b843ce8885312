import { useSyncExternalStore } from "react";

/** One of the two that want the same name. */
export type Item = {
  isDirectory: boolean;
  /** Null where it is not known, as of a folder. */
  size: number | null;
  modifiedAt: Date | null;
  /** What a picture of it is made from: a path on the server, or a file of this device. */
  picture: string | File | null;
};

export type Conflict = { name: string; there: Item; coming: Item };
export type Choice = "replace" | "keepBoth" | "skip";

/** What is asked now: one of the conflicts of a question, and how many come behind it. */
export type Asked = {
  conflict: Conflict;
  left: number;
  answer: (choice: Choice, forAll: boolean) => void;
  /** Nothing of it is to be done. */
  cancel: () => void;
};

type Question = {
  conflicts: readonly Conflict[];
  choices: Choice[];
  settle: (choices: Choice[] | null) => void;
};

/** What a choice for all means for one that it does not suit: nothing takes the place of a folder. */
function suited(choice: Choice, { there, coming }: Conflict): Choice {
  return choice === "replace" && !canReplace(there, coming) ? "keepBoth" : choice;
}

/** A file takes a file's place, and what a folder holds goes into the folder that is there. */
export function canReplace(there: Item, coming: Item): boolean {
  return there.isDirectory === coming.isDirectory;
}

/** Questions about taken names, one after the other. */
export class Questions {
  private readonly waiting: Question[] = [];
  private readonly listeners = new Set<() => void>();
  private asked: Asked | null = null;

  /** A choice for each conflict; null where it is cancelled. */
  ask(conflicts: readonly Conflict[]): Promise<Choice[] | null> {
    if (conflicts.length === 0) return Promise.resolve([]);
    return new Promise((settle) => {
      this.waiting.push({ conflicts, choices: [], settle });
      this.show();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): Asked | null => this.asked;

  private show(): void {
    const [question] = this.waiting;
    const conflict = question?.conflicts[question.choices.length];
    this.asked =
      question && conflict
        ? {
            conflict,
            left: question.conflicts.length - question.choices.length - 1,
            answer: (choice, forAll) => this.answer(question, choice, forAll),
            cancel: () => this.end(question, null),
          }
        : null;
    for (const listener of this.listeners) listener();
  }

  private answer(question: Question, choice: Choice, forAll: boolean): void {
    const { conflicts, choices } = question;
    const answered = conflicts.slice(choices.length, forAll ? conflicts.length : choices.length + 1);
    choices.push(...answered.map((conflict) => suited(choice, conflict)));
    if (choices.length === conflicts.length) this.end(question, choices);
    else this.show();
  }

  private end(question: Question, choices: Choice[] | null): void {
    this.waiting.splice(this.waiting.indexOf(question), 1);
    question.settle(choices);
    this.show();
  }
}

const questions = new Questions();

/** Asks what to do where names are taken, in a dialog. Null where nothing is to be done at all. */
export function askAboutTaken(conflicts: readonly Conflict[]): Promise<Choice[] | null> {
  return questions.ask(conflicts);
}

export function useAsked(): Asked | null {
  return useSyncExternalStore(questions.subscribe, questions.current);
}
