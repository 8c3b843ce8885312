/** Where a link to a folder leads; for the root the address ends with a slash. */
export function folderLink(path: string) {
  return path === "" ? ({ to: "/files/" } as const) : ({ to: "/files/$", params: { _splat: path } } as const);
}
