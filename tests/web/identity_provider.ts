// A provider of OpenID Connect that one signs in to: that of the end-to-end tests, which takes every name.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";

const PROVIDER = resolve(import.meta.dirname, "../oidc/provider.mjs");
export const CLIENT = "coffer";
export const SECRET = "a secret of the client";

/** A port of loopback that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return address.port;
}

export class IdentityProvider {
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.process = process;
  }

  /** It knows the program at `url` alone; `groups` are those of names. */
  static async start(port: number, url: string, groups: Record<string, string[]>): Promise<IdentityProvider> {
    const redirect = `${url}/api/v2/session/oidc/callback`;
    const known = { client: CLIENT, secret: SECRET, redirect, home: `${url}/` };
    const options = JSON.stringify({ port, algorithm: "ES256", groups, ...known });
    const words = ["--pdeathsig", "KILL", "--", process.execPath, PROVIDER, options];
    const child = spawn("setpriv", words, { stdio: ["ignore", "pipe", "ignore"] });
    await new Promise<void>((settle, fail) => {
      createInterface({ input: child.stdout }).once("line", () => settle());
      child.once("exit", () => fail(new Error("the provider did not start")));
    });
    return new IdentityProvider(child);
  }

  /** Signs in on the provider's own pages, as they are shown in `page`. */
  async signIn(page: Page, name: string): Promise<void> {
    await page.locator('input[name="login"]').fill(name);
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button").first().click();
    await page.getByRole("button", { name: "Continue" }).click();
  }

  /** Signs in as one who has agreed before to what the program may know. */
  async signInAgain(page: Page, name: string): Promise<void> {
    await page.locator('input[name="login"]').fill(name);
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button").first().click();
  }

  /** Goes back without signing in. */
  async cancel(page: Page): Promise<void> {
    await page.getByRole("link", { name: "Cancel" }).click();
  }

  async stop(): Promise<void> {
    const ended = new Promise((settle) => this.process.once("exit", settle));
    this.process.kill("SIGKILL");
    await ended;
  }
}
