/** What a text may be read as, by the names of the Encoding Standard; all but the first three are guesses. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "ibm866",
  "koi8-r",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-15",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Encodings of several bytes a character that browsers read but do not write. */
const READ_ONLY: readonly Encoding[] = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"];

/** What older programs of people with these languages write. */
const OF_LANGUAGES: Record<string, Encoding> = {
  "zh-tw": "big5",
  "zh-hk": "big5",
  "zh-hant": "big5",
  zh: "gb18030",
  ja: "shift_jis",
  ko: "euc-kr",
  th: "windows-874",
  vi: "windows-1258",
  ar: "windows-1256",
  fa: "windows-1256",
  he: "windows-1255",
  tr: "windows-1254",
  el: "windows-1253",
  ...ofAll("ru uk be bg sr mk", "windows-1251"),
  ...ofAll("pl cs sk hu sl hr ro", "windows-1250"),
  ...ofAll("lt lv et", "windows-1257"),
};

function ofAll(languages: string, encoding: Encoding): Record<string, Encoding> {
  return Object.fromEntries(languages.split(" ").map((language) => [language, encoding]));
}

/** Null where the bytes are no text in the encoding. A mark at the beginning stays in the text. */
export function decodeAs(encoding: Encoding, bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): string | null {
  try {
    // A shortened text may end within a character.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

/** Null where a character has no place in the encoding, or where browsers do not write it. */
export function encodeAs(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> | null {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-16le" || encoding === "utf-16be") return inPairs(text, encoding === "utf-16le");
  if (READ_ONLY.includes(encoding)) return null;
  const known = bytesOf(encoding);
  const bytes = Uint8Array.from(text, (character) => known.get(character) ?? 0);
  const isTaken = [...text].every((character) => known.has(character));
  return isTaken ? bytes : null;
}

function inPairs(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}

/** The byte of each character of an encoding of one byte a character. */
function bytesOf(encoding: Encoding): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const all = Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const);
  return new Map(all.filter(([character]) => character !== "\ufffd"));
}

/** The first character that has no place in an encoding of one byte a character. */
export function strangerTo(encoding: Encoding, text: string): string | null {
  const known = bytesOf(encoding);
  return [...text].find((character) => !known.has(character)) ?? null;
}

const LOOKED_AT = 4096;

/** The encoding that bytes show by themselves; `binary` for what is no text; null where it has to be guessed. */
export function shownEncoding(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): Encoding | "binary" | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "binary" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const pairs = pairsOf(bytes.subarray(0, LOOKED_AT));
  if (pairs) return pairs;
  if (bytes.includes(0)) return "binary";
  return decodeAs("utf-8", bytes, isWhole) === null ? null : "utf-8";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** UTF-16 without a mark, by the zeros in one half of its pairs: letters of Latin, digits and blanks have one. */
function pairsOf(bytes: Uint8Array<ArrayBuffer>): "utf-16le" | "utf-16be" | null {
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2 === 0 ? "even" : "odd"] += 1;
  const least = Math.max(1, bytes.length * 0.2);
  if (Math.min(zeros.even, zeros.odd) > 0 || Math.max(zeros.even, zeros.odd) < least) return null;
  const encoding = zeros.odd > 0 ? "utf-16le" : "utf-16be";
  const text = decodeAs(encoding, bytes, false);
  return text === null || CONTROL.test(text) ? null : encoding;
}

/** The encoding that a person with these languages most likely has. */
export function guessedEncoding(
  bytes: Uint8Array<ArrayBuffer>,
  isWhole: boolean,
  languages: readonly string[],
): Encoding {
  for (const language of languages) {
    const parts = language.toLowerCase().split("-");
    const guess = OF_LANGUAGES[parts.slice(0, 2).join("-")] ?? OF_LANGUAGES[parts[0] ?? ""];
    if (guess && decodeAs(guess, bytes, isWhole) !== null) return guess;
  }
  return "windows-1252";
}

/** Its name as people know it. */
export function encodingName(encoding: string): string {
  const name = encoding.toUpperCase().replace("_", " ");
  return name.replace(/^(WINDOWS|SHIFT|BIG)/, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}
