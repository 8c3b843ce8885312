// A proxy before the program that speaks HTTP/1.1, as browsers do without TLS, and holds up what a test wants.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Program } from "./program.ts";

type Pick = (method: string, path: string, headers: IncomingHttpHeaders) => boolean;

export class HeldLine {
  private readonly server: Server;
  private readonly underWay = new Set<IncomingMessage>();
  private readonly held: (() => void)[] = [];
  private readonly isHeld: Pick;
  private isOpen = false;
  /** The most requests of those that are held that were there at once. */
  mostHeld = 0;

  private constructor(program: Program, isHeld: Pick) {
    this.isHeld = isHeld;
    this.server = createServer((from, to) => this.take(program, from, to));
  }

  /** Nothing of a request that is held up is read, nor passed on, until `release`. */
  static async before(program: Program, isHeld: Pick = () => false): Promise<HeldLine> {
    const line = new HeldLine(program, isHeld);
    await new Promise<void>((settle) => line.server.listen(0, "127.0.0.1", settle));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many requests of a kind have no end of their answer yet. */
  count(wanted: Pick): number {
    return [...this.underWay].filter(({ method = "", url = "", headers }) => wanted(method, url, headers)).length;
  }

  release(): void {
    this.isOpen = true;
    for (const goOn of this.held.splice(0)) goOn();
  }

  async close(): Promise<void> {
    this.release();
    this.server.closeAllConnections();
    await new Promise((settle) => this.server.close(settle));
  }

  private take(program: Program, from: IncomingMessage, to: ServerResponse): void {
    const { method = "", url = "", headers } = from;
    this.underWay.add(from);
    to.on("close", () => this.underWay.delete(from));
    const pass = () => {
      const on = request(`${program.url}${url}`, { method, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      });
      on.on("error", () => to.destroy());
      to.on("close", () => on.destroy());
      from.pipe(on);
    };
    if (this.isOpen || !this.isHeld(method, url, headers)) {
      pass();
      return;
    }
    this.held.push(pass);
    this.mostHeld = Math.max(this.mostHeld, this.count(this.isHeld));
  }
}
