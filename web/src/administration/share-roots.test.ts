import { expect, it } from "vitest";
import { shareCommand } from "./share-roots";

const REST = "--name Photos --target /srv/photos --everyone";

it("shares by the program that runs, on its data", () => {
  expect(shareCommand({ program: "/usr/bin/coffer", dataFolder: "/srv/coffer" })).toBe(
    `/usr/bin/coffer share add --data /srv/coffer ${REST}`,
  );
});

it("quotes what a shell would read otherwise", () => {
  expect(shareCommand({ program: "/opt/my coffer", dataFolder: "/srv/ann's" })).toBe(
    `'/opt/my coffer' share add --data '/srv/ann'\\''s' ${REST}`,
  );
});
