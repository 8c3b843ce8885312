// The real program, started on a data folder of its own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const BINARY = resolve(REPOSITORY, process.env.COFFER_BIN ?? "build/release/coffer");
export const PASSWORD = "correct horse battery";

function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COFFER_")));
}

export class Program {
  readonly folder = mkdtempSync(join(tmpdir(), "coffer-web-"));
  readonly data = join(this.folder, "data");
  private process: ChildProcess | null = null;
  private port: number;
  private tlsPort = 0;
  private names = 0;
  private readonly settings: string | null;
  private readonly hasTls: boolean;

  /**
   * Settings as a TOML file has them; in the place of `FOLDER` they get the folder that all of this lies in. `port` is for
   * those who must know it before; else it is a free one.
   */
  constructor(settings: string | null = null, port = 0) {
    this.port = port;
    this.hasTls = settings?.includes("tls_listen") ?? false;
    this.settings = settings && join(this.folder, "coffer.toml");
    if (this.settings && settings) writeFileSync(this.settings, settings.replaceAll("FOLDER", this.folder));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** By TLS, where the settings have a port for it. */
  get tlsUrl(): string {
    return `https://localhost:${this.tlsPort}`;
  }

  /** Serves, the second time on the port that it had before. It ends with this process, however that ends. */
  async start(): Promise<this> {
    const listen = `127.0.0.1:${this.port}`;
    const command = ["--pdeathsig", "KILL", "--", BINARY, "serve", "--data", this.data, "--listen", listen];
    if (this.settings) command.push("--config", this.settings);
    const child = spawn("setpriv", command, { env: plainEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
    this.process = child;
    const lines = createInterface({ input: child.stderr });
    const log: string[] = [];
    const told = (scheme: string) => {
      const line = new RegExp(`listening on ${scheme}://127\\.0\\.0\\.1:(\\d+)`);
      return new Promise<number>((settle, fail) => {
        lines.on("line", (text) => {
          const [, port] = line.exec(text) ?? [];
          if (port) settle(Number(port));
        });
        child.once("exit", () => fail(new Error(`the server did not start:\n${log.join("\n")}`)));
      });
    };
    lines.on("line", (line) => log.push(line));
    const ports = [told("http"), this.hasTls ? told("https") : 0] as const;
    [this.port, this.tlsPort] = await Promise.all(ports);
    return this;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((settle) => child.once("exit", settle));
    child.kill(signal);
    await ended;
  }

  /** Ends it, and nothing of it is left. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As if everybody had signed in long ago. */
  async growOld(): Promise<void> {
    await this.stop();
    const catalog = new DatabaseSync(join(this.data, "catalog.sqlite"));
    catalog.exec("UPDATE web_sessions SET confirmed_at = 0");
    catalog.close();
    await this.start();
  }

  /** The link that the server printed, with what stands behind its `#`. */
  setUpLink(): string {
    return readFileSync(join(this.data, "setup-link"), "utf8").trim();
  }

  /** Runs a command beside the server; what it printed. */
  command(words: string[], input = ""): string {
    return execFileSync(BINARY, [...words, "--data", this.data], { env: plainEnvironment(), input, encoding: "utf8" });
  }

  /** The name of a new account, which has PASSWORD. */
  addAccount(...options: string[]): string {
    this.names += 1;
    const name = `user${this.names}`;
    this.command(["account", "add", name, "--password-stdin", ...options], `${PASSWORD}\n`);
    return name;
  }

  /** Asks the server as an account, with a key of its own. */
  client(account: string, keyName = "test"): Client {
    const made = JSON.parse(this.command(["key", "create", "--account", account, "--name", keyName, "--json"]));
    return new Client(this, made.key);
  }
}

/** What tests prepare, and look at, behind the browser's back. */
export class Client {
  private readonly program: Program;
  private readonly key: string;

  constructor(program: Program, key: string) {
    this.program = program;
    this.key = key;
  }

  async call(method: string, path: string, body?: BodyInit, type = "application/json"): Promise<Response> {
    const headers = { "X-API-Key": this.key, ...(body !== undefined && { "Content-Type": type }) };
    const answer = await fetch(`${this.program.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async makeFolder(path: string): Promise<void> {
    await this.call("POST", "/api/v2/folders", JSON.stringify({ path }));
  }

  async put(path: string, content: string | Uint8Array<ArrayBuffer> = "content"): Promise<void> {
    const query = new URLSearchParams({ path });
    await this.call("PUT", `/api/v2/files/content?${query}`, content, "application/octet-stream");
  }

  async names(path = ""): Promise<string[]> {
    const answer = await this.call("GET", `/api/v2/files?${new URLSearchParams({ path, limit: "1000" })}`);
    const page = (await answer.json()) as { entries: { name: string }[] };
    return page.entries.map(({ name }) => name);
  }

  async text(path: string): Promise<string> {
    return (await this.call("GET", `/api/v2/files/content?${new URLSearchParams({ path })}`)).text();
  }
}
