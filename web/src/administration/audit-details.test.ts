import { expect, test } from "vitest";
import de from "~/messages/de.json";
import dePages from "~/messages/de-pages.json";
import { Formats } from "~/messages/formats";
import { translator } from "~/messages/translate";
import type { Messages } from "~/messages/types";
import { accountDetails } from "./audit";

const formats = new Formats("de");
const t = translator({ ...de, ...dePages } as unknown as Messages, formats);
const said = (details: string) => accountDetails(details, t, formats).replaceAll(/[\u2068\u2069]/g, "");

test("what was done with an account is said in the language of the page", () => {
  expect(said("role=admin, quota=1572864")).toBe("Rolle: Administrator · Kontingent: 1,5 MB");
  expect(said("disabled=true, quota=0, password")).toBe("Gesperrt: Ja · Kontingent: Keine Grenze · Passwort");
  expect(said("")).toBe("");
});

test("what has no words stays as it is", () => {
  expect(said("role=user, colour=red")).toBe("Rolle: Benutzer · colour=red");
});
