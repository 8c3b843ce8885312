/** As the server writes moments: UTC, in seconds, with nothing that says so. */
export function utcSeconds(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}
