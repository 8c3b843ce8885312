// Debian's Chromium, and pages that watch what must not happen in them.
import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { watchRequests } from "./eventually.ts";
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

/**
 * While a page opens a window, the debugger holds its scripts until it watches the new one too. Chromium refuses a callback
 * that comes due meanwhile, and says so with the name of the call: `open` itself succeeds.
 */
const REFUSED_WHILE_OPENING = "Failed to execute 'open' on 'Window': The provided callback is no longer runnable.";

export type Look = {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  language?: string;
  touch?: boolean;
  worker?: boolean;
  /** Comes by TLS, and believes any certificate. */
  tls?: boolean;
};

/**
 * The contexts of a browser that a later visit with the same look may use: they have the interface's compiled scripts
 * already, which takes a browser longest. Cookies and storage are cleared between visits.
 */
export class Contexts {
  private readonly browser: Browser;
  private readonly program: Program;
  private readonly free = new Map<string, BrowserContext[]>();

  constructor(browser: Browser, program: Program) {
    this.browser = browser;
    this.program = program;
  }

  async take(look: Look): Promise<BrowserContext> {
    const known = this.free.get(JSON.stringify(look))?.pop();
    return known ?? newContext(this.browser, this.program, look);
  }

  async giveBack(look: Look, context: BrowserContext): Promise<void> {
    const [page, ...others] = context.pages();
    for (const other of others) await other.close();
    if (page) {
      const devtools = await context.newCDPSession(page);
      await devtools.send("Storage.clearDataForOrigin", { origin: this.program.url, storageTypes: "all" });
      await page.close();
    }
    await context.clearCookies();
    const key = JSON.stringify(look);
    this.free.set(key, [...(this.free.get(key) ?? []), context]);
  }
}

async function newContext(browser: Browser, program: Program, look: Look): Promise<BrowserContext> {
  const { width = 1440, height = 900, theme = "light", language = "en-US", touch = false, worker = false } = look;
  const context = await browser.newContext({
    baseURL: look.tls ? program.tlsUrl : program.url,
    ignoreHTTPSErrors: look.tls ?? false,
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
  context.setDefaultTimeout(120_000);
  return context;
}

/** A page, and the trouble that it had. */
export class Visit {
  readonly page: Page;
  readonly program: Program;
  private readonly contexts: Contexts;
  private readonly look: Look;
  private readonly ownContext: BrowserContext;
  /** A test that works on the context itself leaves it to no other. */
  private isShared = true;
  /** What the policy forbade, what was thrown, what the console calls an error. */
  readonly trouble: string[] = [];

  private constructor(program: Program, contexts: Contexts, look: Look, page: Page) {
    this.program = program;
    this.contexts = contexts;
    this.look = look;
    this.ownContext = page.context();
    this.page = page;
    watchRequests(page);
    page.on("pageerror", (error) => {
      if (!error.message.endsWith(REFUSED_WHILE_OPENING)) this.trouble.push(`thrown: ${error.stack || error}`);
    });
    page.on("console", (message) => {
      // What the browser says of each refused request is no trouble: refusals belong to the tests.
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) this.trouble.push(`console: ${message.text()}`);
    });
  }

  get context(): BrowserContext {
    this.isShared = false;
    return this.ownContext;
  }

  static async begin(contexts: Contexts, program: Program, look: Look = {}): Promise<Visit> {
    const page = await (await contexts.take(look)).newPage();
    const visit = new Visit(program, contexts, look, page);
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
    const answer = await this.ownContext.request.post("/api/v2/session", { data });
    assert.equal(answer.status(), 200);
  }

  /** Opens a page as an account, in whatever language. */
  async openAs(account: string, to = "/files/"): Promise<void> {
    await this.beginSession(account);
    await this.page.goto(to);
  }

  /** Closes it; nothing of what is watched may have happened. */
  async end(): Promise<void> {
    if (this.isShared && !this.look.worker && !this.look.tls) await this.contexts.giveBack(this.look, this.ownContext);
    else await this.ownContext.close();
    assert.deepEqual(this.trouble, []);
  }
}
