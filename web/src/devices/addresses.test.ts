import { expect, test } from "vitest";
import { addressesOf } from "./addresses";

test("each kind of client gets the address in its own form", () => {
  const { web, gnome, rclone } = addressesOf("https://files.example.org/coffer", "ann");
  expect(web).toBe("https://files.example.org/coffer/dav/");
  expect(gnome).toBe("davs://files.example.org/coffer/dav/");
  expect(rclone).toContain("url='https://files.example.org/coffer/dav/'");
  expect(addressesOf("http://127.0.0.1:8080", "ann").gnome).toBe("dav://127.0.0.1:8080/dav/");
});
