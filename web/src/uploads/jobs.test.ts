import { expect, test } from "vitest";
import { jobsOf, rememberedJob, takeAgain } from "./jobs";
import type { Job } from "./model";
import type { Planned } from "./plan";

const whose = { account: "ann", tab: "1", destination: "in", handles: {} };

function planned(within: string[], more: Partial<Planned> = {}): Planned {
  const name = within.at(-1) ?? "";
  return {
    file: new File([name], name, { lastModified: 1000 }),
    within,
    folder: "in",
    name,
    onConflict: "fail",
    ...more,
  };
}

function afterReload(job: Job | undefined): Job {
  if (!job) throw new Error("there is no job");
  return rememberedJob(job, job.files.slice(1));
}

test("a few files are jobs of their own, folders and many files are one", () => {
  const [a, b] = [planned(["a"]), planned(["b"])];
  expect(jobsOf({ files: [a, b], folders: [] }, whose).map(({ title }) => title)).toEqual(["a", "b"]);
  const inFolder = jobsOf({ files: [planned(["f", "a"]), planned(["f", "b"])], folders: ["in/f"] }, whose);
  expect(inFolder).toMatchObject([{ title: "f", totalCount: 2, totalBytes: 2 }]);
  const many = Array.from({ length: 9 }, (_, index) => planned([`${index}`]));
  expect(jobsOf({ files: many, folders: [] }, whose)).toMatchObject([{ title: null, totalCount: 9 }]);
});

test("what is skipped, or has a name that cannot be, is told and never sent", () => {
  const files = [planned(["a"], { onConflict: "skip" }), planned(["a\\b"])];
  expect(jobsOf({ files, folders: [] }, whose).flatMap((job) => job.files)).toMatchObject([
    { state: "skipped", reason: "uploads.skippedTaken" },
    { state: "failed", reason: "files.nameForbidden" },
  ]);
});

test("after a reload what is not remembered any more is done", () => {
  const files = ["a", "b", "c"].map((name) => planned(["f", name]));
  const job = afterReload(jobsOf({ files, folders: ["in/f"] }, whose)[0]);
  expect(job).toMatchObject({ doneCount: 1, doneBytes: 1, totalCount: 3 });
  expect(job.files).toMatchObject([
    { file: null, state: "queued" },
    { file: null, state: "queued" },
  ]);
});

test("a file that is chosen again goes on, another one of its name does not", () => {
  const files = ["a", "b", "c"].map((name) => planned(["f", name]));
  const job = afterReload(jobsOf({ files, folders: ["in/f"] }, whose)[0]);
  const same = planned(["f", "b"]);
  const changed = { ...planned(["f", "c"]), file: new File(["c"], "c", { lastModified: 2000 }) };
  const elsewhere = planned(["b"]);
  expect(takeAgain([job], "other", [same])).toEqual([same]);
  expect(takeAgain([job], "in", [same, changed, elsewhere])).toEqual([changed, elsewhere]);
  expect(job.files.map(({ file }) => file)).toEqual([same.file, null]);
});
