import type { en } from "./en";
import type { enPages } from "./en-pages";

/** The forms of a text by the plural categories of a language; `other` is the one that each has. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export type Key = keyof typeof en;

/** What every language has: a text for each key, in forms where English has them. */
type Translated<English> = { readonly [K in keyof English]: English[K] extends string ? string : Plural };
export type Messages = Translated<typeof en>;
export type PageMessages = Translated<typeof enPages>;

type Texts<M> = M extends string ? M : M[keyof M];
type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** What a text leaves open, by its English form. */
export type Values<K extends Key> = Record<Names<Texts<(typeof en)[K]>>, string | number>;

/** The values are asked for only where a text has some. */
export type Arguments<K extends Key> = keyof Values<K> extends never ? [] : [values: Values<K>];
