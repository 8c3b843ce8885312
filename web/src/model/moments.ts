/** As the server writes moments: UTC, in seconds, with nothing that says so. */
export function utcSeconds(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

const FIRST_MS = Date.UTC(1678, 0, 1);
const END_MS = Date.UTC(2262, 0, 1) - 1000;

/** The modification time of a file as the server keeps it; undefined if the browser tells none that it could keep. */
export function keptTime(modifiedMs: number): string | undefined {
  if (!(modifiedMs > FIRST_MS && modifiedMs < END_MS)) return undefined;
  const seconds = utcSeconds(new Date(modifiedMs));
  return seconds === "1970-01-01T00:00:00" ? undefined : seconds;
}
