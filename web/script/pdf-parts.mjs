// What pdf.js fetches by name when a document needs it: tables of characters, fonts that documents may leave out, and
// readers of rare pictures. They stand below a folder with the version's name, so that they can be kept for long.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const root = dirname(require.resolve("pdfjs-dist/package.json"));
const { version } = require("pdfjs-dist/package.json");
const folder = `assets/pdf-${version}/`;

/** WebAssembly is forbidden by the pages' policy; of `wasm` there are the readers that do without. */
const PARTS = { cmaps: /\.bcmap$/, standard_fonts: /\.(pfb|ttf)$/, wasm: /_nowasm_fallback\.js$/ };

/** Their address, which ends with a slash. */
export const PDF_PARTS = `/${folder}`;

/** Puts them beside what is built, and serves them from the package while one works on the interface. */
export function pdfParts() {
  return {
    name: "pdf-parts",
    async generateBundle() {
      for (const [part, wanted] of Object.entries(PARTS)) {
        for (const name of (await readdir(join(root, part))).filter((one) => wanted.test(one))) {
          const source = await readFile(join(root, part, name));
          this.emitFile({ type: "asset", fileName: `${folder}${part}/${name}`, source });
        }
      }
    },
    configureServer(server) {
      server.middlewares.use(PDF_PARTS, async (request, response, next) => {
        const [, part, name] = (request.url ?? "").split("/");
        if (!PARTS[part]?.test(name)) return next();
        if (name.endsWith(".js")) response.setHeader("Content-Type", "text/javascript");
        response.end(await readFile(join(root, part, name)));
      });
    },
  };
}
