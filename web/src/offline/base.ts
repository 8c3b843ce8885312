/** As in platform/base.ts, which lies in a part of the interface that the browser does not keep. */
export function baseOf(part: string): string {
  return new URL(part).pathname.replace(/\/assets\/[^/]*$/, "");
}
