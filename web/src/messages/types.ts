import type { en } from "./en";
import type { enPages } from "./en-pages";

/** The forms of a text by the plural categories of a language; `other` is the one that each has. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type English = typeof en & typeof enPages;
export type Key = keyof English;

/** What every language has: a text for each key, in forms where English has them. */
type Translated<Texts> = { readonly [K in keyof Texts]: Texts[K] extends string ? string : Plural };
export type OwnMessages = Translated<typeof en>;
export type PageMessages = Translated<typeof enPages>;
export type Messages = OwnMessages & PageMessages;

type Texts<M> = M extends string ? M : M[keyof M];
type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** What a text leaves open, by its English form. */
export type Values<K extends Key> = Record<Names<Texts<English[K]>>, string | number>;

/** The values are asked for only where a text has some. */
export type Arguments<K extends Key> = keyof Values<K> extends never ? [] : [values: Values<K>];
