// Runs beside the pages: it takes what a phone shares, and has a page for when the server is not reached. Of the
// interface it keeps that page alone, so that nothing else is ever shown that is old.
export {};

type Lasting = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Lasting & { request: Request; respondWith(answer: Promise<Response>): void };
/** The used part of a worker's global scope, which the types of pages lack. */
type Surroundings = {
  addEventListener(kind: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(kind: "fetch", listener: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

const worker = self as unknown as Surroundings;
/** A proxy's path below which the server is (platform/base.ts), without a slash at its end. */
const BASE = location.pathname.replace(/\/[^/]*$/, "");
const OFFLINE_PAGE = `${BASE}/offline.html`;
const OFFLINE = `coffer-offline${BASE}`;
/** share-target/SharePage.tsx takes it from there. */
const SHARED = `coffer-shared${BASE}`;

async function keepOfflinePage(): Promise<void> {
  const page = await fetch(OFFLINE_PAGE, { cache: "no-cache" });
  const text = await page.clone().text();
  const parts = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  await caches.delete(OFFLINE);
  const cache = await caches.open(OFFLINE);
  await Promise.all([cache.put(OFFLINE_PAGE, page), cache.addAll(parts)]);
}

async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(OFFLINE)).match(path);
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await kept(OFFLINE_PAGE)) ?? Response.error();
  }
}

/** Parts have their content's hash in their names: the same name is the same part. */
async function part(path: string, request: Request): Promise<Response> {
  return (await kept(path)) ?? fetch(request);
}

const MOST_FILES = 100;
const MOST_CHARACTERS = 64 * 1024;

/** A page of another site can send a form here as well as a phone can share something. */
function isForeign({ referrer }: Request): boolean {
  return /^https?:/.test(referrer) && new URL(referrer).origin !== location.origin;
}

/** Keeps what is shared, in place of what was before, until the page has asked where it goes. */
async function takeShared(request: Request): Promise<Response> {
  if (!isForeign(request)) await keepShared(await request.formData());
  return Response.redirect(`${BASE}/share`, 303);
}

async function keepShared(form: FormData): Promise<void> {
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  const texts = ["text", "url"].map((name) => form.get(name)).filter((text) => typeof text === "string" && text !== "");
  const title = String(form.get("title") || "Text")
    .slice(0, 100)
    .replace(/[/\\\p{Cc}]/gu, " ");
  const files = form.getAll("files").filter((one) => one instanceof File && one.size + one.name.length > 0) as File[];
  const text = texts.join("\n").slice(0, MOST_CHARACTERS);
  if (text !== "") files.push(new File([text], `${title}.txt`, { type: "text/plain" }));
  for (const file of files.slice(0, MOST_FILES)) {
    const headers = { "X-Name": encodeURIComponent(file.name), "X-Modified": String(file.lastModified) };
    await cache.put(`/share/${crypto.randomUUID()}`, new Response(file, { headers }));
  }
}

worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([keepOfflinePage(), worker.skipWaiting()]));
});
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === `${BASE}/share`) event.respondWith(takeShared(request));
  if (request.method !== "GET" || pathname.startsWith(`${BASE}/api/`)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith(`${BASE}/assets/`)) event.respondWith(part(pathname, request));
});
