/** A file of this device, and its names from what was chosen down to it. An empty one stands for what cannot be read. */
export type ChosenFile = { file: File; within: string[]; isUnreadable?: boolean };

export type Chosen = {
  files: ChosenFile[];
  /** All folders, also empty ones. */
  folders: string[][];
  handles: Record<string, FileSystemHandle>;
};

/** The files of an input, those of a folder with their paths. */
export function chosenByInput(list: Iterable<File>): Chosen {
  const files = Array.from(list, (file) => ({
    file,
    within: file.webkitRelativePath === "" ? [file.name] : file.webkitRelativePath.split("/"),
  }));
  return { files, folders: foldersOf(files), handles: {} };
}

/** Every folder on the way to some files, those above first. */
function foldersOf(files: readonly ChosenFile[]): string[][] {
  const found = new Map<string, string[]>();
  for (const { within } of files) {
    for (let length = 1; length < within.length; length += 1) {
      const folder = within.slice(0, length);
      found.set(folder.join("/"), folder);
    }
  }
  return [...found.values()];
}

type Dropped = { entry: FileSystemEntry | null; file: File | null; handle: Promise<FileSystemHandle | null> };
type WithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

/** The dropped or pasted files. All must be read before the first wait, since the browser drops them then. */
function takeAll(items: DataTransferItemList): Dropped[] {
  return [...items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
      handle: (item as WithHandle).getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null),
    }));
}

/** Files and folders that were dropped, with all that is in the folders. */
export async function chosenByDrop(items: DataTransferItemList): Promise<Chosen> {
  const chosen: Chosen = { files: [], folders: [], handles: {} };
  for (const { entry, file, handle } of takeAll(items)) {
    const found = await handle;
    if (found) chosen.handles[found.name] = found;
    if (entry) await walk(entry, [entry.name], chosen);
    else if (file) chosen.files.push({ file, within: [file.name] });
  }
  return chosen;
}

/** Takes what can be read, and names the rest. */
async function walk(entry: FileSystemEntry, within: string[], chosen: Chosen): Promise<void> {
  await read(entry, within, chosen).catch(() => {
    chosen.files.push({ file: new File([], entry.name), within, isUnreadable: true });
  });
}

async function read(entry: FileSystemEntry, within: string[], chosen: Chosen): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    chosen.files.push({ file, within });
    return;
  }
  chosen.folders.push(within);
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A browser gives some at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await walk(one, [...within, one.name], chosen);
  }
}

/** A file that was chosen before a reload, by what the browser kept; null where it is not allowed, or gone. */
export async function fileOfHandle(handle: FileSystemHandle, within: readonly string[]): Promise<File | null> {
  try {
    let at = handle;
    for (const [index, name] of within.slice(1).entries()) {
      const folder = at as FileSystemDirectoryHandle;
      const isLast = index === within.length - 2;
      at = isLast ? await folder.getFileHandle(name) : await folder.getDirectoryHandle(name);
    }
    return await (at as FileSystemFileHandle).getFile();
  } catch {
    return null;
  }
}
