// A cloud drive on this machine: rclone serves a folder by WebDAV.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export class WebdavServer {
  private readonly folder = mkdtempSync(join(tmpdir(), "coffer-dav-"));
  private process: ChildProcess | null = null;
  private url = "";

  static async start(): Promise<WebdavServer> {
    const server = new WebdavServer();
    const command = ["--pdeathsig", "KILL", "--", "rclone", "serve", "webdav", server.folder, "--addr", "127.0.0.1:0"];
    const child = spawn("setpriv", command, { stdio: ["ignore", "ignore", "pipe"] });
    server.process = child;
    server.url = await new Promise<string>((settle, fail) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        const serving = /(http:\/\/127\.0\.0\.1:\d+)/.exec(line);
        if (serving?.[1]) settle(serving[1]);
      });
      child.once("exit", () => fail(new Error("rclone did not start")));
    });
    return server;
  }

  /** What `coffer connector add` takes. */
  get options(): string[] {
    return ["--remote-type", "webdav", "--param", `url=${this.url}`, "--param", "vendor=other"];
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  names(): string[] {
    return readdirSync(this.folder).sort();
  }

  async stop(): Promise<void> {
    const child = this.process;
    if (!child) return;
    const ended = new Promise((settle) => child.once("exit", settle));
    child.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
