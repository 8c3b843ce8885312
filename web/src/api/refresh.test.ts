import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refreshSoon } from "./refresh";

const queryKey = ["folder"];
let client: QueryClient;
let answers: ((answer: string) => void)[];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  answers = [];
  const queryFn = () => new Promise<string>((settle) => answers.push(settle));
  end = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
});
afterEach(() => {
  end();
  client.clear();
  vi.useRealTimers();
});

test("what is asked for the first time is asked again: it may be older than the change", async () => {
  refreshSoon(client, queryKey);
  answers[0]?.("old");
  await vi.runOnlyPendingTimersAsync();
  expect(answers).toHaveLength(2);
  answers[1]?.("new");
  await vi.runOnlyPendingTimersAsync();
  expect(client.getQueryData(queryKey)).toBe("new");
  expect(answers).toHaveLength(2);
});

test("what is known is asked once, and once more for all changes in the meantime", async () => {
  answers[0]?.("known");
  await vi.runOnlyPendingTimersAsync();
  for (let change = 0; change < 3; change += 1) refreshSoon(client, queryKey);
  expect(answers).toHaveLength(2);
  answers[1]?.("first");
  await vi.runOnlyPendingTimersAsync();
  expect(answers).toHaveLength(3);
  answers[2]?.("last");
  await vi.runOnlyPendingTimersAsync();
  expect(answers).toHaveLength(3);
});
