import { hasCode } from "~/api/problem";
import type { CharacterSet } from "~/content/character-sets";
import type { Entry } from "~/model/entries";
import { childPath } from "~/model/path";
import type { FileActions } from "./actions";

const ARCHIVE = /^(.+?)\.(zip|7z|tar|tgz|tbz2?|txz|tzst|tar\.(gz|bz2|xz|zst|lz4))$/i;
const MOST_TRIES = 20;

/** The name of an archive without what makes it one; null for anything else. */
export function archiveStem({ name, isDirectory }: Pick<Entry, "name" | "isDirectory">): string | null {
  return (!isDirectory && ARCHIVE.exec(name)?.[1]) || null;
}

/** True for archives whose names may be in another character set than UTF-8. */
export function hasNamesOfItsMaker(archive: Entry): boolean {
  return archiveStem(archive) !== null && !/\.7z$/i.test(archive.name);
}

/** Into a new folder that has the archive's name, so that nothing is mixed with what is there. */
export async function unpack(
  actions: FileActions,
  archive: Entry,
  folder: string,
  characterSet: CharacterSet | null = null,
): Promise<void> {
  const stem = archiveStem(archive) ?? archive.name;
  await actions.reporting(async () => {
    const name = await makeFreeFolder(actions, folder, stem);
    const destination = childPath(folder, name);
    await actions.runAndTell(
      {
        kind: "unpack",
        sources: [archive.path],
        destination,
        onConflict: "keepBoth",
        ...(characterSet && { characterSet }),
      },
      "files.unpacked",
    );
  });
}

async function makeFreeFolder(actions: FileActions, folder: string, stem: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem} (${number})`;
    try {
      await actions.makeFolder(folder, name);
      return name;
    } catch (error) {
      if (!hasCode(error, "name_taken") || number === MOST_TRIES) throw error;
    }
  }
}
