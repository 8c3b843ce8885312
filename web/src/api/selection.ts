import { answerOf, v2 } from "./client";

/** What one request takes with room to spare: 1,000 items and 64 KiB for a task, 10,000 and 1 MiB for a selection. */
const FEW_ITEMS = 500;
const FEW_BYTES = 32 * 1024;
const PIECE_ITEMS = 5_000;
const PIECE_BYTES = 512 * 1024;

const encoder = new TextEncoder();

function bytesOf(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + encoder.encode(item).length + 3, 0);
}

/** Whether a task can name them itself. */
export function areFew(items: readonly string[]): boolean {
  return items.length <= FEW_ITEMS && bytesOf(items) <= FEW_BYTES;
}

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The folder that all are in, and the paths from there in pieces of one request each. */
export function piecesOf(paths: readonly string[]): { folder: string; pieces: string[][] } {
  let folder = parent(paths[0] ?? "");
  for (const path of paths) while (folder !== "" && !path.startsWith(`${folder}/`)) folder = parent(folder);
  const start = folder === "" ? 0 : folder.length + 1;
  const pieces: string[][] = [[]];
  let bytes = 0;
  for (const path of paths) {
    const item = path.slice(start);
    bytes += bytesOf([item]);
    if (pieces.at(-1)?.length === PIECE_ITEMS || bytes > PIECE_BYTES) {
      pieces.push([]);
      bytes = bytesOf([item]);
    }
    pieces.at(-1)?.push(item);
  }
  return { folder, pieces };
}

/** Names any number of items to the server, paths or identifiers in the bin, for a task or an archive. */
export async function selectionOf(paths: readonly string[]): Promise<string> {
  const { folder, pieces } = piecesOf(paths);
  const [first = [], ...others] = pieces;
  const { id } = await answerOf(v2.POST("/api/v2/selections", { body: { folder, items: first } }));
  for (const items of others) {
    await answerOf(v2.POST("/api/v2/selections/{id}", { params: { path: { id } }, body: { folder, items } }));
  }
  return id;
}
