import type { paths } from "~/api/v2";

export type WantedLink = NonNullable<paths["/api/v2/links"]["post"]["requestBody"]>["content"]["application/json"];

/** What the form of a link holds, as it is typed. */
export type LinkForm = {
  mode: "read" | "upload";
  password: string;
  /** A day as `2027-01-31`, or empty. */
  lastDay: string;
  mostDownloads: string;
};

export const EMPTY_FORM: LinkForm = { mode: "read", password: "", lastDay: "", mostDownloads: "" };

/** The end of a day where one is, as the server's UTC moment. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString().slice(0, 19);
}

export function wantedLink(path: string, form: LinkForm): WantedLink {
  return {
    path,
    mode: form.mode,
    ...(form.password !== "" && { password: form.password }),
    ...(form.lastDay !== "" && { expiresAt: endOfDay(form.lastDay) }),
    ...(form.mode === "read" && form.mostDownloads !== "" && { maxDownloads: Number(form.mostDownloads) }),
  };
}

export type Wrong = { password?: "links.passwordShort"; mostDownloads?: "links.limitWrong"; lastDay?: "links.dayPast" };

const LEAST_PASSWORD_BYTES = 8;
const MOST_DOWNLOADS = 1_000_000;

/** What the server would refuse, by field. */
export function wrongIn(form: LinkForm, now: Date): Wrong {
  const wrong: Wrong = {};
  const bytes = new TextEncoder().encode(form.password).length;
  if (bytes > 0 && bytes < LEAST_PASSWORD_BYTES) wrong.password = "links.passwordShort";
  if (form.mode === "read" && form.mostDownloads !== "") {
    const count = Number(form.mostDownloads);
    if (!Number.isInteger(count) || count < 1 || count > MOST_DOWNLOADS) wrong.mostDownloads = "links.limitWrong";
  }
  if (form.lastDay !== "" && new Date(`${form.lastDay}T23:59:59`) <= now) wrong.lastDay = "links.dayPast";
  return wrong;
}
