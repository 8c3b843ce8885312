import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync("src/theme/tokens.css", "utf8");

/** The light and the dark form of a custom property. */
function forms(name: string): string[] {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  if (!found) throw new Error(`no colour ${name}`);
  return found.slice(1);
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour = ""): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = "", other = ""): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXTS: [string, string[]][] = [
  ["text", ["canvas", "surface", "raised", "hover", "pressed", "accent-soft", "accent-soft-hover"]],
  ["text-soft", ["canvas", "surface", "raised", "hover", "accent-soft"]],
  ["accent", ["canvas", "surface", "raised", "accent-soft"]],
  ["on-accent", ["accent", "accent-hover"]],
  ["danger", ["surface", "raised", "danger-soft"]],
  ["on-danger", ["danger", "danger-hover"]],
];

it.each(TEXTS)("%s can be read on what it stands on", (text, grounds) => {
  for (const ground of grounds) {
    for (const theme of [0, 1]) {
      expect(contrast(forms(text)[theme], forms(ground)[theme]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it("edges of controls can be seen", () => {
  for (const ground of ["canvas", "surface", "raised"]) {
    for (const theme of [0, 1]) {
      expect(contrast(forms("line-control")[theme], forms(ground)[theme]), ground).toBeGreaterThanOrEqual(3);
    }
  }
});
