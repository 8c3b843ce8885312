import type { Formats } from "./formats";
import type { Arguments, Key, Messages } from "./types";

export type Translate = (<K extends Key>(key: K, ...args: Arguments<K>) => string) & {
  readonly language: string;
};

/** Makes the function that gives the texts of one language. */
export function translator(messages: Messages, formats: Formats): Translate {
  const translate = <K extends Key>(key: K, ...args: Arguments<K>) => {
    const values: Record<string, string | number> = args[0] ?? {};
    const message = messages[key];
    const count = values.count;
    const text =
      typeof message === "string"
        ? message
        : (typeof count === "number" && message[formats.pluralOf(count)]) || message.other;
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? formats.numberText(value) : value;
    });
  };
  return Object.assign(translate, { language: new Intl.Locale(formats.locale).language });
}
