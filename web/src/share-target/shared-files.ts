/** Where the service worker puts what a phone shares. */
const SHARED = "coffer-shared";

/** What was shared to this device and is not uploaded yet. */
export async function sharedFiles(): Promise<File[]> {
  if (!("caches" in window)) return [];
  const cache = await caches.open(SHARED);
  const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
  return Promise.all(answers.flatMap((answer) => (answer ? fileOf(answer) : [])));
}

async function fileOf(answer: Response): Promise<File> {
  const name = decodeURIComponent(answer.headers.get("X-Name") ?? "");
  const lastModified = Number(answer.headers.get("X-Modified"));
  return new File([await answer.blob()], name, { lastModified });
}

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED);
}
