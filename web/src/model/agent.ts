import type { Translate } from "~/messages";

// Whatever a browser calls itself, it names several others too: the first that fits is the one.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

function firstOf(table: readonly [RegExp, string][], agent: string): string | null {
  return table.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
}

type Agent = { browser: string; system: string | null };

/** A client's name for itself in words that people know; null if it is none of those. */
export function agentOf(agent: string): Agent | null {
  const browser = firstOf(BROWSERS, agent);
  return browser === null ? null : { browser, system: firstOf(SYSTEMS, agent) };
}

export function isPhone(agent: string): boolean {
  return /\b(Android|iPhone|iPad|Mobile)\b/.test(agent);
}

/** The same as one text; what is not known is told as it calls itself. */
export function agentName(agent: string, t: Translate): string {
  const known = agentOf(agent);
  if (known?.system) return t("account.agent", { browser: known.browser, system: known.system });
  return known?.browser ?? (agent || t("account.unknownAgent"));
}
