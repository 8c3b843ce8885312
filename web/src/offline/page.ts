// The page that the service worker shows if the server cannot be reached. It reloads by itself.
import { baseOf } from "./base";
import "./page.css";
// The page has texts of its own: the browser keeps no other part of the interface.
import texts from "./texts.json";

const TEXTS: Record<string, { title: string; hint: string; retry: string }> = texts;

/** A proxy's path below which the server is, without a slash at its end. */
const BASE = baseOf(import.meta.url);
/** So often the server is looked for. */
const LOOK_MS = 3_000;

function chosenTag(): string {
  const tags = [localStorage.getItem("coffer.language") ?? "", ...navigator.languages];
  const known = tags.flatMap((tag) => Object.keys(TEXTS).filter((one) => tag === one || tag.startsWith(`${one}-`)));
  return known[0] ?? (tags.some((tag) => tag.startsWith("zh")) ? "zh-Hans" : "en");
}

function show(): void {
  const tag = chosenTag();
  const { title, hint, retry } = TEXTS[tag] ?? texts.en;
  const { documentElement: root } = document;
  root.lang = tag;
  root.dir = tag === "ar" ? "rtl" : "ltr";
  root.dataset.theme = localStorage.getItem("coffer.theme") ?? "";
  for (const [selector, text] of [
    ["h1", title],
    ["p", hint],
    ["a", retry],
  ] as const) {
    const element = document.querySelector(selector);
    if (element) element.textContent = text;
  }
}

async function look(): Promise<void> {
  const answer = await fetch(`${BASE}/health/live`, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

show();
setInterval(() => void look(), LOOK_MS);
window.addEventListener("online", () => void look());
