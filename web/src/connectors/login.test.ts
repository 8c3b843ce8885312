import { expect, it } from "vitest";
import { authorizeCommand, loginOf } from "./login";

const TOKEN = '{"access_token":"at","token_type":"Bearer","refresh_token":"rt","expiry":"2026-11-21T06:14:09Z"}';

it("tells rclone what was typed, but no secret", () => {
  const command = authorizeCommand("drive", { scope: "drive", client_secret: "s" }, new Set(["client_secret"]));
  const [, type, blob = ""] = /^rclone authorize "(.*)" "(.*)"$/.exec(command) ?? [];
  expect(type).toBe("drive");
  expect(JSON.parse(atob(blob))).toEqual({ scope: "drive" });
  expect(authorizeCommand("drive", {}, new Set())).toBe('rclone authorize "drive" "e30"');
});

it("reads a token as it is printed, alone or between its lines", () => {
  expect(loginOf(TOKEN)).toEqual({ token: TOKEN });
  expect(loginOf(`Paste the following:\n--->\n${TOKEN}\n<---End paste\n`)).toEqual({ token: TOKEN });
  expect(loginOf(`${TOKEN.slice(0, 30)}\r\n${TOKEN.slice(30)}`)).toEqual({ token: TOKEN });
});

it("reads what else the provider said", () => {
  const blob = btoa(JSON.stringify({ token: TOKEN, hostname: "eapi.pcloud.com" })).replace(/=+$/, "");
  expect(loginOf(`--->\n${blob}\n<---End paste`)).toEqual({ token: TOKEN, hostname: "eapi.pcloud.com" });
});

it.each(["", "hello", "{}", "{broken", '{"error":"denied"}', "e30", "%%%", "--->\n<---"])(
  "does not take %s",
  (text) => {
    expect(loginOf(text)).toBeNull();
  },
);
