// script/types.mjs makes english.d.ts from the English texts.
import type { English } from "./english";

/** The forms of a text by the plural categories of a language; every language has `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export type Key = keyof English;

/** A text for each key, in plural forms if English has them. */
export type Messages = { readonly [K in Key]: English[K] extends string ? string : Plural };

type Texts<M> = M extends string ? M : M[keyof M];
type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The values that a text leaves open, by its English form. */
export type Values<K extends Key> = Record<Names<Texts<English[K]>>, string | number>;

/** Keys of texts that leave nothing open. */
export type PlainKey = { [K in Key]: keyof Values<K> extends never ? K : never }[Key];

/** A text without values takes no second argument. */
export type Arguments<K extends Key> = keyof Values<K> extends never ? [] : [values: Values<K>];
