import { expect, it } from "vitest";
import { Problem, type ProblemCode } from "./problem";
import { newQueryClient } from "./query-client";

/** How often something is asked for that always fails so. */
async function tries(code: ProblemCode, status: number): Promise<number> {
  let count = 0;
  const queryFn = async () => {
    count += 1;
    throw new Problem(code, "", status, 0);
  };
  await newQueryClient()
    .fetchQuery({ queryKey: ["one"], queryFn, retry: newQueryClient().getDefaultOptions().queries?.retry ?? false })
    .catch(() => {});
  return count;
}

it("asks again where the server says that it is busy", async () => {
  expect(await tries("rate_limited", 429)).toBe(3);
  expect(await tries("unready", 503)).toBe(3);
});

it("takes every other answer for one, and waits for a server that is away", async () => {
  expect(await tries("unavailable", 502)).toBe(1);
  expect(await tries("timed_out", 504)).toBe(1);
  expect(await tries("not_found", 404)).toBe(1);
  expect(await tries("offline", 0)).toBe(1);
});
