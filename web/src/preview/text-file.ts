/** A file's text, and what is needed to write it back as it was but for the changes. */
export type TextFile = {
  text: string;
  /** False where it is not UTF-8: what is shown then is a guess, and is not written back. */
  isText: boolean;
  /** False where there is more than is shown. */
  isWhole: boolean;
  hasMark: boolean;
  lineBreak: "\n" | "\r\n";
  etag: string | null;
};

const MARK = "\ufeff";

/** All lines end alike, or a lone carriage return counts as a character, which stays as it is. */
function lineBreakOf(text: string): TextFile["lineBreak"] {
  const breaks = text.match(/\r\n|\r|\n/g) ?? [];
  return breaks.length > 0 && breaks.every((one) => one === "\r\n") ? "\r\n" : "\n";
}

function utf8(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): string | null {
  try {
    // What is cut may end within a character.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

export function decode(content: ArrayBuffer, etag: string | null, isWhole: boolean): TextFile {
  const bytes = new Uint8Array(content);
  const decoded = bytes.includes(0) ? null : utf8(bytes, isWhole);
  const all = decoded ?? new TextDecoder("windows-1252").decode(bytes);
  const hasMark = all.startsWith(MARK);
  const text = hasMark ? all.slice(1) : all;
  return { text, isText: decoded !== null, isWhole, hasMark, lineBreak: lineBreakOf(text), etag };
}

/** True if it holds what no text does, so that showing it as text helps nobody. */
export function isBinary({ text, isText }: TextFile): boolean {
  return !isText && text.includes("\0");
}

/** What is stored for a text as the editor has it, which has the file's own line breaks. */
export function encode(text: string, { hasMark }: TextFile): string {
  return hasMark ? MARK + text : text;
}
