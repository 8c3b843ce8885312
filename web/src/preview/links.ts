type Target = { file: string } | { elsewhere: string };

const ELSEWHERE = /^(https?|mailto):/i;
// Characters that browsers drop, so that a scheme may hide between them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0020\u007f]/;

/**
 * Where a link in a document leads: a file, named from where the document lies, or an address elsewhere. Null for all that
 * runs something, and for what is not to be had.
 */
export function resolveLink(document: string, link: string): Target | null {
  if (ELSEWHERE.test(link)) return { elsewhere: link };
  const [path = ""] = link.split(/[?#]/, 1);
  if (path === "" || path.startsWith("/") || path.includes(":") || HIDDEN.test(path)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  const steps = document.split("/").slice(0, -1);
  for (const step of decoded.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return { file: steps.join("/") };
}
