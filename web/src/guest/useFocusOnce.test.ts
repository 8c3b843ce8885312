import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { useFocusOnce } from "./useFocusOnce";

function List({ id }: { id: string }) {
  const takeFocus = useFocusOnce();
  const ref = (row: HTMLElement | null) => {
    if (row) takeFocus(row);
  };
  return createElement("div", { id, tabIndex: -1, ref });
}

test("a list takes the focus when it comes, and not whenever it is drawn again", () => {
  const page = document.createElement("main");
  page.id = "page";
  page.tabIndex = -1;
  document.body.append(page);
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const draw = (key: string) => flushSync(() => root.render(createElement(List, { key, id: key })));
  try {
    page.focus();
    draw("first");
    expect(document.activeElement?.id).toBe("first");
    page.focus();
    draw("first");
    expect(document.activeElement).toBe(page);
    draw("second");
    expect(document.activeElement?.id).toBe("second");
  } finally {
    root.unmount();
    page.remove();
    place.remove();
  }
});
