import { askAboutTaken, entriesByName } from "~/conflicts";
import type { UploadFile } from "./model";
import { conflictOf } from "./plan";

type Answer = (file: UploadFile, choice: "replace" | "keepBoth" | "skip") => void;

/** Asks about names that were free when it was looked, but not any more: those of a while in one question. */
export class TakenNames {
  private waiting: UploadFile[] = [];
  private isAsking = false;
  private readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }

  add(file: UploadFile): void {
    this.waiting.push(file);
    if (!this.isAsking) void this.askAll();
  }

  private async askAll(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const files = this.waiting;
      this.waiting = [];
      await this.ask(files).catch(() => {
        // Nothing is lost by leaving them out, and that is told in the list.
        for (const file of files) this.answer(file, "skip");
      });
    }
    this.isAsking = false;
  }

  private async ask(files: readonly UploadFile[]): Promise<void> {
    const listings = new Map<string, Awaited<ReturnType<typeof entriesByName>>>();
    for (const folder of new Set(files.map((file) => file.folder))) listings.set(folder, await entriesByName(folder));
    const taken = files.flatMap((file) => {
      const there = listings.get(file.folder)?.get(file.name);
      return there && file.file ? [{ file, conflict: conflictOf(file.file, there) }] : [];
    });
    // A name that is free again by now goes on as it was; the server keeps both if it is taken once more.
    for (const file of files) if (!taken.some((one) => one.file === file)) this.answer(file, "keepBoth");
    const choices = await askAboutTaken(taken.map(({ conflict }) => conflict));
    for (const [index, { file }] of taken.entries()) this.answer(file, choices?.[index] ?? "skip");
  }
}
