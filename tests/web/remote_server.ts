// FTP and SFTP servers on this machine: vsftpd and rclone serve a folder that has one file.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

type Kind = "ftp" | "sftp";

/** As vsftpd lets anybody in, who can only read. */
export const LOGIN = { user: "anonymous", password: "of the server" };

export class RemoteServer {
  readonly port: number;
  private readonly folder = mkdtempSync(join(tmpdir(), "coffer-remote-"));
  private readonly process: ChildProcess;

  private constructor(kind: Kind, port: number) {
    this.port = port;
    const root = join(this.folder, "root");
    for (const path of [root, join(this.folder, "empty")]) mkdirSync(path);
    chmodSync(this.folder, 0o755);
    writeFileSync(join(root, "there.txt"), "of the server");
    const words = kind === "sftp" ? this.sftp(root) : this.ftp(root);
    this.process = spawn("setpriv", ["--pdeathsig", "KILL", "--", ...words], { stdio: "ignore" });
  }

  static async start(kind: Kind): Promise<RemoteServer> {
    const server = new RemoteServer(kind, await freePort());
    await eventually(() => answers(server.port), `the ${kind} server answers`);
    return server;
  }

  /** What ssh-keygen says of the key of an SFTP server. */
  get fingerprint(): string {
    const said = execFileSync("ssh-keygen", ["-l", "-f", join(this.folder, "key.pub")], { encoding: "utf8" });
    return said.split(" ")[1] ?? "";
  }

  async stop(): Promise<void> {
    const ended = new Promise((settle) => this.process.once("exit", settle));
    this.process.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private sftp(root: string): string[] {
    const key = join(this.folder, "key");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    const login = ["--user", LOGIN.user, "--pass", LOGIN.password];
    return ["rclone", "serve", "sftp", root, "--addr", `127.0.0.1:${this.port}`, ...login, "--key", key];
  }

  private ftp(root: string): string[] {
    const file = join(this.folder, "vsftpd.conf");
    const settings = {
      background: "NO",
      listen: "YES",
      listen_ipv6: "NO",
      listen_address: "127.0.0.1",
      listen_port: this.port,
      local_enable: "NO",
      anonymous_enable: "YES",
      ftp_username: "ftp",
      anon_root: root,
      secure_chroot_dir: join(this.folder, "empty"),
      isolate_network: "NO",
      pasv_address: "127.0.0.1",
      seccomp_sandbox: "NO",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(file, lines.join(""));
    return ["vsftpd", file];
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      settle(true);
    });
    socket.once("error", () => settle(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}
