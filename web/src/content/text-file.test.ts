import { expect, test } from "vitest";
import { decode, encode, isBinary } from "./text-file";

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

test("what is written back is what was read, to the byte", () => {
  for (const text of ["", "a", "a\nb\n", "a\r\nb\r\n", "a\r\nb\nc\rd", "\ufeffa\r\n", "ä 日本 😀"]) {
    const file = decode(bytes(text), null, true);
    expect(new TextEncoder().encode(encode(file.text, file))).toEqual(new TextEncoder().encode(text));
    expect(file.isText).toBe(true);
  }
});

test("lines end as most editors would have it only where all do", () => {
  expect(decode(bytes("a\r\nb\r\n"), null, true).lineBreak).toBe("\r\n");
  expect(decode(bytes("a\r\nb\n"), null, true).lineBreak).toBe("\n");
  expect(decode(bytes("a"), null, true).lineBreak).toBe("\n");
});

test("other encodings are shown and not written, and what is no text is told", () => {
  const latin = decode(new Uint8Array([0x63, 0xe9]).buffer, null, true);
  expect([latin.text, latin.isText, isBinary(latin)]).toEqual(["cé", false, false]);
  expect(isBinary(decode(new Uint8Array([1, 0, 2]).buffer, null, true))).toBe(true);
});

test("a text that is cut within a character is a text", () => {
  const cut = new TextEncoder().encode("aé").slice(0, 2).buffer;
  expect(decode(cut, null, false).text).toBe("a");
  expect(decode(cut, null, true).isText).toBe(false);
});
