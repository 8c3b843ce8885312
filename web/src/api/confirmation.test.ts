import { expect, test, vi } from "vitest";
import { confirmation, watchUnconfirmed } from "./confirmation";

type Handler = NonNullable<typeof confirmation.onResponse>;
type Options = Parameters<Handler>[0];

/** What becomes of an answer to a request that changes something. */
async function answered(response: Response): Promise<unknown> {
  const request = new Request("http://localhost/api/v2/keys", { method: "DELETE" });
  await confirmation.onRequest?.({ request } as never);
  return await confirmation.onResponse?.({ request, response } as Options);
}

test("the person is asked where the server wants the session confirmed, and by nothing else that refuses", async () => {
  const ask = vi.fn(() => Promise.resolve(false));
  const unwatch = watchUnconfirmed(ask);
  for (const body of ["<html>Forbidden</html>", "", '{"code":"forbidden"}', "null"]) {
    expect(await answered(new Response(body, { status: 403 }))).toBeUndefined();
  }
  expect(ask).not.toHaveBeenCalled();
  await answered(new Response('{"code":"unconfirmed"}', { status: 403 }));
  expect(ask).toHaveBeenCalledOnce();
  unwatch();
});
