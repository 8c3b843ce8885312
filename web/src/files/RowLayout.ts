import type { Key, LayoutDelegate, Rect, Size } from "@react-types/shared";
import type { RefObject } from "react";
import type { FileCollection } from "./FileCollection";

/** Where rows of one height stand, for moving by pages: most of them are not in the document. */
export class RowLayout implements LayoutDelegate {
  private readonly collection: FileCollection;
  private readonly rowHeight: number;
  private readonly scroller: RefObject<HTMLElement | null>;

  constructor(collection: FileCollection, rowHeight: number, scroller: RefObject<HTMLElement | null>) {
    this.collection = collection;
    this.rowHeight = rowHeight;
    this.scroller = scroller;
  }

  getItemRect(key: Key): Rect | null {
    const index = this.collection.indexOf(key);
    if (index < 0) return null;
    return { x: 0, y: index * this.rowHeight, width: this.getContentSize().width, height: this.rowHeight };
  }

  getVisibleRect(): Rect {
    const scroller = this.scroller.current;
    return {
      x: 0,
      y: scroller?.scrollTop ?? 0,
      width: scroller?.clientWidth ?? 0,
      height: scroller?.clientHeight ?? 0,
    };
  }

  getContentSize(): Size {
    return { width: this.scroller.current?.clientWidth ?? 0, height: this.collection.size * this.rowHeight };
  }
}
