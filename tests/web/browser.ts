// Debian's Chromium, and pages that watch what must not happen in them.
import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { PASSWORD, type Program } from "./program.ts";

/** Debian's, as it is without windows: that takes a third less of the processor for a test. */
export const BROWSER = "/usr/bin/chromium-headless-shell";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Each has a fresh profile, in a folder of its own. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER, args: ARGUMENTS });
}

export type Look = {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  language?: string;
  touch?: boolean;
  worker?: boolean;
};

/** A page, and the trouble that it had. */
export class Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly program: Program;
  /** What the policy forbade, what was thrown, what the console calls an error. */
  readonly trouble: string[] = [];

  private constructor(program: Program, context: BrowserContext, page: Page) {
    this.program = program;
    this.context = context;
    this.page = page;
    page.on("pageerror", (error) => this.trouble.push(`thrown: ${error.stack}`));
    page.on("console", (message) => {
      // What the browser says of each refused request is no trouble: refusals belong to the tests.
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) this.trouble.push(`console: ${message.text()}`);
    });
  }

  static async begin(browser: Browser, program: Program, look: Look = {}): Promise<Visit> {
    const { width = 1440, height = 900, theme = "light", language = "en-US", touch = false, worker = false } = look;
    const context = await browser.newContext({
      baseURL: program.url,
      viewport: { width, height },
      colorScheme: theme,
      locale: language,
      timezoneId: "UTC",
      hasTouch: touch,
      isMobile: touch,
      reducedMotion: "reduce",
      // Requests that it answers are not seen by tests that answer some themselves.
      serviceWorkers: worker ? "allow" : "block",
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const visit = new Visit(program, context, page);
    await page.exposeFunction("tellViolation", (text: string) => visit.trouble.push(`forbidden: ${text}`));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const tell = (window as unknown as { tellViolation: (text: string) => void }).tellViolation;
        tell(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
      });
    });
    return visit;
  }

  async signIn(account: string, to = "/files/"): Promise<void> {
    await this.page.goto(`/sign-in?${new URLSearchParams({ to })}`);
    await this.page.getByRole("textbox", { name: "User name" }).fill(account);
    await this.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.waitForURL((url) => url.pathname + url.search === to);
  }

  /** Signs in without the page, which is the same in all languages. */
  async beginSession(account: string): Promise<void> {
    const data = { userName: account, password: PASSWORD };
    const answer = await this.context.request.post("/api/v2/session", { data });
    assert.equal(answer.status(), 200);
  }

  /** Opens a page as an account, in whatever language. */
  async openAs(account: string, to = "/files/"): Promise<void> {
    await this.beginSession(account);
    await this.page.goto(to);
  }

  /** Closes it; nothing of what is watched may have happened. */
  async end(): Promise<void> {
    await this.context.close();
    assert.deepEqual(this.trouble, []);
  }
}
