import type { Collection, Key, Node } from "@react-types/shared";
import type { Entry } from "~/model/entries";

/**
 * A folder's entries as React Aria looks at collections. Its own builder renders each item once, which takes seconds
 * for 100,000; here a node is made when it is asked for.
 */
export class FileCollection implements Collection<Node<Entry>> {
  readonly entries: readonly Entry[];
  /** False while further ones are still to come. */
  readonly isWhole: boolean;
  /** Why they do not come; null as long as they may. */
  readonly error: unknown;
  private indices: Map<Key, number> | null = null;
  private readonly nodes = new Map<Key, Node<Entry>>();

  constructor(entries: readonly Entry[], isWhole: boolean, error: unknown = null) {
    this.entries = entries;
    this.isWhole = isWhole;
    this.error = error;
  }

  get size(): number {
    return this.entries.length;
  }

  indexOf(key: Key | null): number {
    if (key === null) return -1;
    this.indices ??= new Map(this.entries.map(({ path }, index) => [path, index]));
    return this.indices.get(key) ?? -1;
  }

  at(index: number): Node<Entry> | null {
    const entry = this.entries[index];
    if (!entry) return null;
    const known = this.nodes.get(entry.path);
    if (known) return known;
    const node = nodeOf(entry, index);
    this.nodes.set(entry.path, node);
    return node;
  }

  entryOf(key: Key): Entry | undefined {
    return this.entries[this.indexOf(key)];
  }

  getItem(key: Key): Node<Entry> | null {
    return this.at(this.indexOf(key));
  }

  *getKeys(): Generator<Key> {
    for (const { path } of this.entries) yield path;
  }

  *[Symbol.iterator](): Generator<Node<Entry>> {
    for (let index = 0; index < this.size; index += 1) {
      const node = this.at(index);
      if (node) yield node;
    }
  }

  getKeyBefore(key: Key): Key | null {
    return this.entries[this.indexOf(key) - 1]?.path ?? null;
  }

  getKeyAfter(key: Key): Key | null {
    const index = this.indexOf(key);
    return index < 0 ? null : (this.entries[index + 1]?.path ?? null);
  }

  getFirstKey(): Key | null {
    return this.entries[0]?.path ?? null;
  }

  getLastKey(): Key | null {
    return this.entries.at(-1)?.path ?? null;
  }

  /** Entries have nothing below them. */
  getChildren(): Iterable<Node<Entry>> {
    return [];
  }
}

function nodeOf(entry: Entry, index: number): Node<Entry> {
  return {
    type: "item",
    key: entry.path,
    value: entry,
    level: 0,
    hasChildNodes: false,
    childNodes: [],
    rendered: null,
    textValue: entry.name,
    index,
    parentKey: null,
    prevKey: null,
    nextKey: null,
    props: {},
  };
}
