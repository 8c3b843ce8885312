// Logins of drives are made where a browser is: what to run there, and how to read what it prints.

/** UTF-8 in base64, without the padding, as rclone takes it. */
function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
}

function fromBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The command for a login with what was typed so far; what is secret does not go into it. */
export function authorizeCommand(
  type: string,
  parameters: Record<string, string>,
  secrets: ReadonlySet<string>,
): string {
  const told = Object.entries(parameters).filter(([name, value]) => value !== "" && !secrets.has(name));
  // Without parameters, rclone would not print what else the provider said, as the host of pCloud.
  return `rclone authorize "${type}" "${toBase64(JSON.stringify(Object.fromEntries(told)))}"`;
}

const BEGIN = "--->";
const END = "<---";

/** The parameters in what `rclone authorize` printed, with or without the lines around; null where it is none. */
export function loginOf(pasted: string): Record<string, string> | null {
  const begin = pasted.indexOf(BEGIN);
  const behind = begin < 0 ? pasted : pasted.slice(begin + BEGIN.length);
  const [text = ""] = behind.split(END);
  const open = text.indexOf("{");
  if (open >= 0) {
    // Lines that were broken on the way are put together again.
    const token = text.slice(open, text.lastIndexOf("}") + 1).replace(/[\r\n]/g, "");
    return "access_token" in objectIn(token) ? { token } : null;
  }
  const told = Object.entries(objectIn(fromBase64(text.replace(/[\s=]/g, ""))));
  const texts = told.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.some(([name]) => name === "token") ? Object.fromEntries(texts) : null;
}
