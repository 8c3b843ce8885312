import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { Scene } from "./scene.ts";

const scene = new Scene();
const WEB = resolve(import.meta.dirname, "../../web");

test("the client's types are those of the API that the server describes", () => {
  const made = join(scene.program.folder, "api");
  const script = join(WEB, "script/generate-client.mjs");
  execFileSync(process.execPath, [script, scene.program.url, made], { cwd: WEB });
  for (const name of ["v1.d.ts", "v2.d.ts"]) {
    const [kept, now] = [join(WEB, "src/api", name), join(made, name)].map((path) => readFileSync(path, "utf8"));
    const advice = `${name} is old: run script/generate-client.mjs in web/ with the address of a server`;
    assert.ok(kept === now, advice);
  }
});
