import { afterEach, expect, test, vi } from "vitest";
import { strangerTo } from "./encodings";
import { asUtf8, decode, encode } from "./text-file";

afterEach(() => {
  vi.unstubAllGlobals();
});

const bytesOf = (...values: number[]) => Uint8Array.from(values).buffer;
const utf8 = (text: string) => new TextEncoder().encode(text);
const of = (languages: string[]) => vi.stubGlobal("navigator", { languages });

/** The text as UTF-16, without a mark. */
function utf16(text: string, isLittle: boolean): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return view.buffer;
}

/** What is read, and what is written back if nothing changes. */
function roundTrip(content: ArrayBuffer) {
  const file = decode(content, null, true);
  return { ...file, written: encode(file.text, file) };
}

test("what is written back is what was read, to the byte", () => {
  for (const text of ["", "a", "a\nb\n", "a\r\nb\r\n", "a\r\nb\nc\rd", "\ufeffa\r\n", "ä 日本 😀"]) {
    const { encoding, canWrite, isGuess, written } = roundTrip(utf8(text).buffer);
    expect({ encoding, canWrite, isGuess }).toEqual({ encoding: "utf-8", canWrite: true, isGuess: false });
    expect(written).toEqual(utf8(text));
  }
});

test("UTF-16 is read with a mark and without one, in both orders, and written back", () => {
  for (const isLittle of [true, false]) {
    for (const text of ["\ufeffName;Größe\r\n", "plain text, as Windows writes it\r\n"]) {
      const content = utf16(text, isLittle);
      const { encoding, canWrite, isGuess, written } = roundTrip(content);
      expect(encoding).toBe(isLittle ? "utf-16le" : "utf-16be");
      expect([canWrite, isGuess]).toEqual([true, false]);
      expect(written).toEqual(new Uint8Array(content));
    }
  }
  // Half a pair is no character, and would be lost.
  expect(decode(utf16("\ufeffa\ud800b", true), null, true).canWrite).toBe(false);
});

test("the encodings of older programs are guessed by the languages, and every byte is written back", () => {
  const guesses = [
    [["ru", "en"], "windows-1251", [0xcf, 0xf0, 0xe8], "При"],
    [["de-DE"], "windows-1252", [0x47, 0xf6, 0xdf], "Göß"],
    [["el-GR"], "windows-1253", [0xe1, 0xe2], "αβ"],
    [["ar"], "windows-1256", [0xe3, 0xd1], "مر"],
  ] as const;
  for (const [languages, encoding, bytes, text] of guesses) {
    of([...languages]);
    const file = roundTrip(bytesOf(...bytes));
    expect([file.encoding, file.text, file.isGuess, file.canWrite]).toEqual([encoding, text, true, true]);
    expect(file.written).toEqual(Uint8Array.from(bytes));
  }
});

test("texts of several bytes a character are shown, and not written", () => {
  of(["ja"]);
  const file = decode(bytesOf(0x93, 0xfa, 0x96, 0x7b), null, true);
  expect([file.encoding, file.text, file.canWrite]).toEqual(["shift_jis", "日本", false]);
  // Bytes that are none in it are of another.
  expect(decode(bytesOf(0x63, 0xe9), null, true).encoding).toBe("windows-1252");
});

test("a person's choice counts more than a guess", () => {
  of(["en"]);
  expect(decode(bytesOf(0xcf), null, true, "koi8-r").text).toBe("о");
});

test("a character without a place is told, and has one in UTF-8", () => {
  of(["de"]);
  const file = decode(bytesOf(0xe4), null, true);
  expect(encode("ä€", file)).toEqual(Uint8Array.of(0xe4, 0x80));
  expect(encode("äж", file)).toBeNull();
  expect(strangerTo("windows-1252", "äж")).toBe("ж");
  expect(encode("äж", asUtf8(file))).toEqual(utf8("äж"));
});

test("lines end as most editors would have it only where all do", () => {
  expect(decode(utf8("a\r\nb\r\n").buffer, null, true).lineBreak).toBe("\r\n");
  expect(decode(utf8("a\r\nb\n").buffer, null, true).lineBreak).toBe("\n");
  expect(decode(utf8("a").buffer, null, true).lineBreak).toBe("\n");
});

test("what is no text is told", () => {
  for (const bytes of [
    [1, 0, 2],
    [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0],
    [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 3],
  ]) {
    expect(decode(bytesOf(...bytes), null, true).encoding).toBeNull();
  }
});

test("a text that is cut within a character is a text, and is not written", () => {
  const cut = utf8("aé").slice(0, 2).buffer;
  const file = decode(cut, null, false);
  expect([file.text, file.encoding, file.canWrite]).toEqual(["a", "utf-8", false]);
  expect(decode(cut, null, true).encoding).toBe("windows-1252");
});
