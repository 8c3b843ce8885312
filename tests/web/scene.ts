// What a file of tests needs: one program and one browser for all, and a visit for each.
import { after, afterEach, before } from "node:test";
import type { Browser } from "playwright-core";
import { Contexts, type Look, startBrowser, Visit } from "./browser.ts";
import { type Client, Program } from "./program.ts";

export class Scene {
  readonly program: Program;
  private browser: Browser | null = null;
  private contexts: Contexts | null = null;
  private visits: Visit[] = [];

  constructor(settings: string | null = null, port = 0) {
    this.program = new Program(settings, port);
    before(async () => {
      await this.program.start();
      this.browser = await startBrowser();
      this.contexts = new Contexts(this.browser, this.program);
    });
    afterEach(async () => {
      const visits = this.visits;
      this.visits = [];
      for (const visit of visits) await visit.end();
    });
    after(async () => {
      await this.browser?.close();
      await this.program.remove();
    });
  }

  /** It is looked at behind the test whether the page had trouble. */
  async visit(look?: Look): Promise<Visit> {
    if (!this.contexts) throw new Error("a visit begins in a test");
    const visit = await Visit.begin(this.contexts, this.program, look);
    this.visits.push(visit);
    return visit;
  }

  /** A visit by a new account, and a client of the same; `prepare` fills its files first. */
  async visitAs(prepare: (client: Client) => Promise<void> = async () => {}, look?: Look, to?: string) {
    const account = this.program.addAccount();
    const client = this.program.client(account);
    await prepare(client);
    const visit = await this.visit(look);
    await visit.openAs(account, to);
    return { account, client, visit, page: visit.page };
  }
}
