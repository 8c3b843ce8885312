import type { Problem } from "~/api/problem";
import type { UploadFile } from "./model";

const MOST_FAILURES = 6;

/** What is to be done where the server was not reached, or refused. */
export type Verdict = "offline" | "unreadable" | "signIn" | "taken" | "anew" | "again" | "fail";

export async function verdictOn(problem: Problem, file: UploadFile): Promise<Verdict> {
  const { code, status } = problem;
  // A file that was changed or removed meanwhile looks like a server that is not reached.
  if (code === "offline") return file.file && !(await isReadable(file.file)) ? "unreadable" : "offline";
  if (code === "unauthenticated") return "signIn";
  if (code === "name_taken") return "taken";
  // The server kept it as long as it keeps such.
  if (file.url !== null && (status === 404 || status === 410)) return "anew";
  return mayPass(problem) && file.failures < MOST_FAILURES ? "again" : "fail";
}

/** The server, or one behind it, may answer otherwise in a while. */
function mayPass({ status, code }: Problem): boolean {
  return status >= 500 ? code !== "over_quota" : status === 423 || status === 429 || code === "precondition_failed";
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
