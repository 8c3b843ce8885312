import { answerOf, v2 } from "~/api/client";
import { Problem } from "~/api/problem";
import type { Job } from "./model";

/** Makes the folders that files of a job go into, once, before the first of them. */
export class FolderMaker {
  private readonly made = new WeakMap<Job, Promise<Problem | null>>();
  private readonly onMade: (job: Job) => void;

  constructor(onMade: (job: Job) => void) {
    this.onMade = onMade;
  }

  /** Returns the server's refusal, if there was one; the next call tries again then. */
  make(job: Job): Promise<Problem | null> {
    const known = this.made.get(job);
    if (known) return known;
    const making = makeAll(job.folders).then((problem) => {
      if (problem) this.made.delete(job);
      else if (job.folders.length > 0) this.onMade(job);
      return problem;
    });
    this.made.set(job, making);
    return making;
  }
}

async function makeAll(folders: readonly string[]): Promise<Problem | null> {
  for (const path of folders) {
    try {
      await answerOf(v2.POST("/api/v2/folders", { body: { path } }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A folder of its name is what is wanted. Where a file has it, the server refuses the files that go into it.
      if (error.code !== "name_taken") return error;
    }
  }
  return null;
}
