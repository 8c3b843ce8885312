import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { keys } from "~/api/keys";
import { sharedMarks } from "~/model/shared-marks";
import { useSharedMarks } from "./marks";

/** The texts that are waited for, in the order in which they were asked for. */
const texts: (() => void)[] = [];

vi.mock("~/messages", async (original) => {
  const t = (key: string) => key;
  return {
    ...(await original<typeof import("~/messages")>()),
    useMessages: () => ({ t }),
    withPageTexts: () => new Promise<void>((arrive) => texts.push(arrive)),
  };
});

function Marks(): null {
  useSharedMarks();
  return null;
}

const marked = () => [...sharedMarks.get().keys()];

test("what was known last is marked, whichever texts arrive last", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.sharedByMe, [{ path: "album", with: [] }]);
  client.setQueryData(keys.links, []);
  const root = createRoot(document.createElement("div"));
  root.render(createElement(QueryClientProvider, { client }, createElement(Marks)));
  await vi.waitFor(() => expect(texts.length).toBe(1));
  client.setQueryData(keys.links, [{ path: "linked", createdAt: "" }]);
  await vi.waitFor(() => expect(texts.length).toBe(2));
  texts[1]?.();
  await vi.waitFor(() => expect(marked()).toEqual(["album", "linked"]));
  texts[0]?.();
  // What the first texts were waited for would have happened before this.
  await new Promise((settle) => setTimeout(settle));
  expect(marked()).toEqual(["album", "linked"]);
  root.unmount();
});
