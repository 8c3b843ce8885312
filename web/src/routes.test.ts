import { expect, it } from "vitest";
import { newQueryClient } from "./api/query-client";
import { ADMIN_PAGES, PLAIN_PAGES, SETTINGS_PAGES, SPECIAL_PAGES } from "./model/pages";
import { newRouter } from "./routes";

it("every page of the lists has a route", () => {
  const { routesByPath } = newRouter(newQueryClient());
  for (const { path } of [...ADMIN_PAGES, ...PLAIN_PAGES, ...SETTINGS_PAGES, ...SPECIAL_PAGES]) {
    expect(Object.keys(routesByPath)).toContain(path);
  }
});
