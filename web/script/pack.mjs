// Makes the built interface ready for the program: node pack.mjs DIST OUTPUT.
// Writes all files, each as it is and packed, into built_files.bin; built_files.S, which includes that; and
// built_files.cc, the table of what stands where (src/web/built_files.h).
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".bcmap": "application/octet-stream",
  ".ttf": "font/ttf",
  ".pfb": "application/octet-stream",
};

const [dist, output] = process.argv.slice(2);
const pieces = [];
let size = 0;

/** Where the bytes stand in built_files.bin, as C++. */
function place(bytes) {
  const at = size;
  pieces.push(bytes);
  size += bytes.length;
  return `at(${at}, ${bytes.length})`;
}

/** Packed bytes count only where they are smaller. */
function placeIfSmaller(packed, plain) {
  return packed.length < plain.length ? place(packed) : "{}";
}

function brotli(bytes) {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

async function row(name) {
  const bytes = await readFile(join(dist, name));
  const type = TYPES[extname(name)];
  if (!type) throw new Error(`pack.mjs does not know the media type of ${name}`);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const places = [
    place(bytes),
    placeIfSmaller(gzipSync(bytes, { level: 9 }), bytes),
    placeIfSmaller(brotli(bytes), bytes),
  ];
  return `      {"/${name}", "${type}", "W/\\"${hash}\\"", ${places.join(", ")}},`;
}

const entries = await readdir(dist, { recursive: true, withFileTypes: true });
const names = entries
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(dist, "/").length))
  .sort();
const rows = [];
for (const name of names) rows.push(await row(name));

await mkdir(output, { recursive: true });
await writeFile(join(output, "built_files.bin"), Buffer.concat(pieces));
await writeFile(
  join(output, "built_files.S"),
  `  .section .rodata.coffer_web_files,"a",%progbits
  .global coffer_web_files
  .type coffer_web_files, %object
  .size coffer_web_files, ${size}
  .balign 4096
coffer_web_files:
  .incbin "${join(output, "built_files.bin")}"
  .section .note.GNU-stack,"",%progbits
`,
);
await writeFile(
  join(output, "built_files.cc"),
  `#include "web/built_files.h"

#include <array>
#include <cstddef>

extern "C" const char coffer_web_files[];

namespace coffer::web {
namespace {

std::string_view at(std::size_t offset, std::size_t size) {
  return {coffer_web_files + offset, size};
}

}  // namespace

std::span<const http::StaticFile> built_files() {
  static const std::array<http::StaticFile, ${rows.length}> kFiles{{
${rows.join("\n")}
  }};
  return kFiles;
}

}  // namespace coffer::web
`,
);
