/** As in the server's base/folding.cc; folding-pairs.json holds both together. */
const MARKS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: ranges of marks, none of which follows a letter here
  /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]/g;

const LETTERS: Record<string, string> = {
  æ: "ae",
  ð: "d",
  ø: "o",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  œ: "oe",
  ς: "σ",
};

/** A text as searches compare it: without case, and without accents and marks that people leave out when they type. */
export function folded(text: string): string {
  const plain = text.normalize("NFD").replace(MARKS, "");
  // Letters that grow by being capitals, such as "ß", are the same as what they grow to.
  return plain.toLowerCase().replace(/[^\0-\x7f]/g, (letter) => {
    const lower = letter.length === 1 ? letter.toUpperCase().toLowerCase() : letter;
    return LETTERS[letter] ?? LETTERS[lower] ?? lower;
  });
}
