// Keycloak on loopback, as script/setup --all unpacks it, with one realm of people and this program as its client.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { CLIENT, SECRET } from "./identity_provider.ts";

const KC = resolve(import.meta.dirname, "../../build/servers/keycloak/bin/kc.sh");
const ADMIN = "keeper";
/** Of all people there, and of the one who administers it. */
const PASSWORD = "of somebody at Keycloak";
const REALM = "example";
/** Its first start makes its program anew, which takes a minute of a processor. */
const PATIENCE_MS = 900_000;

type Body = Record<string, unknown>;

export type Person = { id: string; name: string };

export class Keycloak {
  readonly issuer: string;
  private readonly process: ChildProcess;
  private readonly url: string;

  private constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.url = `http://127.0.0.1:${port}`;
    this.issuer = `${this.url}/realms/${REALM}`;
  }

  /** It is the provider of the program at `program`, and tells it there of those who sign out. */
  static async start(port: number, program: string, folder: string): Promise<Keycloak> {
    if (!existsSync(KC)) throw new Error(`no ${KC}: run script/setup --all first`);
    // The script has Java in a process of its own, which is to end with it.
    const java = join(folder, "java");
    writeFileSync(java, '#!/bin/sh\nexec setpriv --pdeathsig KILL -- java "$@"\n', { mode: 0o755 });
    const words = ["start-dev", "--db=dev-mem", "--cache=local", "--http-host=127.0.0.1", `--http-port=${port}`];
    const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", KC, ...words], {
      env: {
        PATH: process.env.PATH,
        JAVA: java,
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN,
        KC_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
        JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx768m",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = createWriteStream(join(folder, "keycloak.log"));
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    const keycloak = new Keycloak(child, port);
    await keycloak.serves();
    await keycloak.ask("POST", "", realm(program));
    return keycloak;
  }

  private async serves(): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      if (this.process.exitCode !== null || Date.now() > end) throw new Error("Keycloak did not start");
      const answer = await fetch(`${this.url}/realms/master`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((settle) => setTimeout(settle, 200));
    }
  }

  private async token(): Promise<string> {
    const login = { grant_type: "password", client_id: "admin-cli", username: ADMIN, password: PASSWORD };
    const body = new URLSearchParams(login);
    const answer = await fetch(`${this.url}/realms/master/protocol/openid-connect/token`, { method: "POST", body });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  /** Asks as its administrator; `path` is within the realm. What it answers, null if that is nothing. */
  private async ask(method: string, path: string, body?: Body): Promise<unknown> {
    const headers = { Authorization: `Bearer ${await this.token()}`, "Content-Type": "application/json" };
    const within = path === "" ? "" : `/${REALM}/${path}`;
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.url}/admin/realms${within}`, request);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Keycloak: ${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** Somebody new there, who belongs to these groups. */
  async addPerson(name: string, groups: string[] = []): Promise<Person> {
    await this.ask("POST", "users", {
      username: name,
      enabled: true,
      email: `${name}@example.org`,
      emailVerified: true,
      firstName: name,
      lastName: "Example",
      credentials: [{ type: "password", value: PASSWORD }],
      groups: groups.map((group) => `/${group}`),
    });
    const [found] = (await this.ask("GET", `users?exact=true&username=${name}`)) as { id: string }[];
    if (!found) throw new Error(`Keycloak has no ${name}`);
    return { id: found.id, name };
  }

  async disable({ id }: Person): Promise<void> {
    await this.ask("PUT", `users/${id}`, { enabled: false });
  }

  /** Ends all sessions of the person there, as an administrator does. */
  async signOut({ id }: Person): Promise<void> {
    await this.ask("POST", `users/${id}/logout`);
  }

  async countSessions({ id }: Person): Promise<number> {
    return ((await this.ask("GET", `users/${id}/sessions`)) as unknown[]).length;
  }

  /** Whether logout tokens name the session that ended from now on (`sid`), or the person alone. */
  async nameSessions(isNamed: boolean): Promise<void> {
    const [client] = (await this.ask("GET", `clients?clientId=${CLIENT}`)) as { id: string; attributes: Body }[];
    if (!client) throw new Error("Keycloak does not know the program");
    const attributes = { ...client.attributes, "backchannel.logout.session.required": String(isNamed) };
    await this.ask("PUT", `clients/${client.id}`, { ...client, attributes });
  }

  /** Signs with a new key from now on; the ids of the keys before and now. */
  async rotateKeys(): Promise<{ before: string; now: string }> {
    const signing = async () => ((await this.ask("GET", "keys")) as { active: { RS256: string } }).active.RS256;
    const before = await signing();
    await this.ask("POST", "components", {
      name: "fresh",
      providerId: "rsa-generated",
      providerType: "org.keycloak.keys.KeyProvider",
      config: { priority: ["1000"] },
    });
    return { before, now: await signing() };
  }

  /** Signs in on its own pages, as they are shown in `page`. */
  async signIn(page: Page, { name }: Person): Promise<void> {
    await page.locator("#username").fill(name);
    await page.locator("#password").fill(PASSWORD);
    await page.locator("#kc-login").click();
  }

  async stop(): Promise<void> {
    const ended = new Promise((settle) => this.process.once("exit", settle));
    this.process.kill("SIGKILL");
    await ended;
  }
}

function realm(program: string): Body {
  const claim = { "claim.name": "groups", "full.path": "false", "id.token.claim": "true" };
  const mapper = { name: "groups", protocol: "openid-connect", protocolMapper: "oidc-group-membership-mapper" };
  return {
    realm: REALM,
    enabled: true,
    sslRequired: "none",
    groups: [{ name: "staff" }, { name: "admins" }],
    clients: [
      {
        clientId: CLIENT,
        secret: SECRET,
        redirectUris: [`${program}/api/v2/session/oidc/callback`],
        attributes: {
          "pkce.code.challenge.method": "S256",
          "post.logout.redirect.uris": `${program}/`,
          "backchannel.logout.url": `${program}/api/v2/session/oidc/backchannel-logout`,
          "backchannel.logout.session.required": "true",
        },
        protocolMappers: [{ ...mapper, config: claim }],
      },
    ],
  };
}
