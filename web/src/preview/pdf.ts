import { getDocument, type PDFDocumentLoadingTask, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { workerScript } from "~/platform/trusted-types";
import { contentAddress } from "./address";

export {
  type PDFDocumentProxy,
  type PDFPageProxy,
  RenderingCancelledException,
  TextLayer,
} from "pdfjs-dist/legacy/build/pdf.mjs";

/** Where vite.config.ts puts what pdf.js fetches when a document needs it. */
const PARTS = import.meta.env.PDF_PARTS;

let worker: PDFWorker | null = null;

/** All documents are read in one worker, so that a slow one does not hold up the page. */
function sharedWorker(): PDFWorker {
  worker ??= PDFWorker.create({ port: new Worker(workerScript(workerUrl), { type: "module" }) });
  return worker;
}

/**
 * Begins to read a document, by the ranges that its pages need. Its scripts, forms and links are not looked at: only
 * what its pages show is drawn.
 */
export function openPdf(path: string): PDFDocumentLoadingTask {
  return getDocument({
    url: contentAddress(path),
    worker: sharedWorker(),
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    wasmUrl: `${PARTS}wasm/`,
    // The policy of the pages lets no bytes become code.
    useWasm: false,
    // Fonts that a document leaves out are the same on every device.
    useSystemFonts: false,
    enableXfa: false,
  });
}
