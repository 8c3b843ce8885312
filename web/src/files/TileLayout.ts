import type { Key, LayoutDelegate, Rect, Size } from "@react-types/shared";
import type { RefObject } from "react";
import type { FileCollection } from "./FileCollection";

/** Where tiles stand, so many in a row: for moving by arrows and by pages, since most are not in the document. */
export class TileLayout implements LayoutDelegate {
  private readonly collection: FileCollection;
  private readonly perRow: number;
  private readonly height: number;
  private readonly scroller: RefObject<HTMLElement | null>;

  constructor(collection: FileCollection, perRow: number, height: number, scroller: RefObject<HTMLElement | null>) {
    this.collection = collection;
    this.perRow = perRow;
    this.height = height;
    this.scroller = scroller;
  }

  getItemRect(key: Key): Rect | null {
    const index = this.collection.indexOf(key);
    if (index < 0) return null;
    const width = this.getContentSize().width / this.perRow;
    const row = Math.floor(index / this.perRow);
    return { x: (index % this.perRow) * width, y: row * this.height, width, height: this.height };
  }

  getVisibleRect(): Rect {
    const scroller = this.scroller.current;
    const { width } = this.getContentSize();
    return { x: 0, y: scroller?.scrollTop ?? 0, width, height: scroller?.clientHeight ?? 0 };
  }

  getContentSize(): Size {
    const rows = Math.ceil(this.collection.size / this.perRow);
    // Not 0 where nothing is laid out: all tiles would be one above the other.
    return { width: this.scroller.current?.clientWidth || this.perRow, height: rows * this.height };
  }
}
