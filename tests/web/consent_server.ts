// A provider of drives that one logs in to: the one of the end-to-end tests, where every person agrees.
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const SOURCES = resolve(import.meta.dirname, "../e2e");
const SERVE = `
import sys
sys.path.insert(0, sys.argv[1])
from consent_server import ConsentServer
with ConsentServer() as server:
    server.redirects.add(sys.argv[2])
    print(server.port, flush=True)
    sys.stdin.read()
`;

export class ConsentServer {
  /** One file is at the top. */
  static readonly FILE = "note.txt";
  private readonly process: ChildProcess;
  private readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.port = port;
  }

  /** It sends people back to this address alone. */
  static async start(redirect: string): Promise<ConsentServer> {
    const words = ["--pdeathsig", "KILL", "--", "/usr/bin/python3", "-B", "-c", SERVE, SOURCES, redirect];
    const child = spawn("setpriv", words, { stdio: ["pipe", "pipe", "inherit"] });
    const port = await new Promise<number>((settle, fail) => {
      createInterface({ input: child.stdout }).once("line", (line) => settle(Number(line)));
      child.once("exit", () => fail(new Error("the provider did not start")));
    });
    return new ConsentServer(child, port);
  }

  /** What is typed for it, by the names of its fields. */
  get fields(): Record<string, string> {
    const url = `http://127.0.0.1:${this.port}`;
    return {
      "Client ID": "coffer-client",
      "Client secret": "client-secret",
      "Auth URL": `${url}/auth`,
      "Token URL": `${url}/token`,
      Endpoint: `${url}/api`,
    };
  }

  async stop(): Promise<void> {
    const ended = new Promise((settle) => this.process.once("exit", settle));
    this.process.stdin?.end();
    await ended;
  }
}
