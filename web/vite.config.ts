import { fileURLToPath } from "node:url";
import locales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { partOf } from "./script/first-load.mjs";
import { icons } from "./script/icons.mjs";
import { messages } from "./script/messages.mjs";
import { PDF_PARTS, pdfParts } from "./script/pdf-parts.mjs";

// The languages of src/messages, as React Aria names them: it brings thirty others.
const LANGUAGES = ["en-US", "es-ES", "de-DE", "fr-FR", "zh-CN", "ar-AE"];

/** The mark is drawn as soon as the styles are there: on a slow line they must not share it with the scripts. */
const scriptsBehindStyles = (): Plugin => ({
  name: "scripts-behind-styles",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
  },
});

export default defineConfig({
  plugins: [icons(), react(), messages(), locales.vite({ locales: LANGUAGES }), pdfParts(), scriptsBehindStyles()],
  define: { "import.meta.env.PDF_PARTS": JSON.stringify(PDF_PARTS) },
  resolve: { alias: { "~": fileURLToPath(new URL("src", import.meta.url)) } },
  // Parts of the interface find each other beside themselves, whatever path a proxy has before them. The addresses in
  // pages begin with a slash: there the server puts that path.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }),
  },
  // Names of grid areas are shared: a part says where in the shell it stands.
  css: { transformer: "lightningcss", lightningcss: { cssModules: { grid: false } } },
  build: {
    target: "es2022",
    cssMinify: "lightningcss",
    // The policy of the pages forbids what is inlined, and every browser that runs this preloads modules itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: "index.html",
        "api-docs": "api-docs.html",
        offline: "offline.html",
        "service-worker": "src/service-worker/worker.ts",
      },
      output: {
        // Browsers look for a new version of it under the same name.
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
        codeSplitting: { groups: [{ name: partOf() }] },
      },
    },
  },
  // While working on it: a server that was started by script/server answers the API.
  server: { proxy: { "/api/": "http://127.0.0.1:8080" } },
  test: {
    environment: "jsdom",
    // One document serves the files of a worker: to make one takes longer than to run the tests of a file.
    isolate: false,
    // A kept module would miss that the English texts have changed, by which others are completed.
    fsModuleCache: false,
    include: ["src/**/*.test.{ts,tsx}"],
    // Beside a build the first test of a file waits long for its modules.
    testTimeout: 60_000,
  },
});
