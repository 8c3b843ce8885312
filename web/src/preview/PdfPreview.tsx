import {
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { Problem } from "~/api/problem";
import { contentAddress } from "~/content/address";
import { NoPreview, PreviewFailed, PreviewSkeleton } from "~/content/ContentStates";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import { at } from "~/platform/base";
import { workerScript } from "~/platform/trusted-types";
import styles from "./PdfPreview.module.css";

const WIDEST = 960;
const MARGIN = 32;

/** How wide a page is drawn: as the place allows, up to what is well read. */
function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.min(WIDEST, element.clientWidth - MARGIN)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** All pages of a document, each drawn when it comes near. */
export function PdfPreview({ path }: { path: string }) {
  const [attempt, setAttempt] = useState(0);
  return <PdfPages key={attempt} path={path} onRetry={() => setAttempt(attempt + 1)} />;
}

function PdfPages({ path, onRetry }: { path: string; onRetry: () => void }) {
  const { t } = useMessages();
  const { pdf, error } = usePdf(path);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [aspect, setAspect] = useState(Math.SQRT2);
  const first = useRef(false);
  const width = useWidth(scroller);
  useEffect(() => {
    if (!pdf || first.current) return;
    first.current = true;
    void pdf.getPage(1).then((page) => {
      const { width, height } = page.getViewport({ scale: 1 });
      setAspect(height / width);
    });
  }, [pdf]);
  if (error) return <PdfError error={error} onRetry={onRetry} />;
  if (!pdf) return <PreviewSkeleton />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: pages are scrolled by keys
    <section ref={setScroller} className={styles.pages} aria-label={nameOf(path)} tabIndex={0}>
      {width > 0 &&
        Array.from({ length: pdf.numPages }, (_, index) => (
          <PdfPage
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            key={index}
            pdf={pdf}
            number={index + 1}
            width={width}
            aspect={aspect}
            label={t("preview.page", { number: index + 1, count: pdf.numPages })}
          />
        ))}
    </section>
  );
}

/** The errors of pdf.js tell their kind by their names. */
function PdfError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useMessages();
  const { name, status } = error as { name?: string; status?: number };
  if (name === "PasswordException") return <NoPreview reason={t("preview.protected")} />;
  if (name === "InvalidPDFException") return <NoPreview reason={t("preview.damaged")} />;
  const problem = name !== "ResponseException" ? error : new Problem(status === 404 ? "not_found" : "failed", "");
  return <PreviewFailed error={problem} onRetry={onRetry} />;
}

type Props = {
  pdf: PDFDocumentProxy;
  number: number;
  width: number;
  /** Height by width, until the page's own is known. */
  aspect: number;
  label: string;
};

/** So far from being seen a page is drawn already. */
const NEAR = "600px 0px";
/** More pixels than that a canvas may not have on some devices. */
const MOST_PIXELS = 16_000_000;

function scaleOf(width: number, height: number): number {
  return Math.min(window.devicePixelRatio, Math.sqrt(MOST_PIXELS / (width * height)));
}

/** Draws a page, with its text above it for those who select or listen. The function given back stops it. */
function draw(props: Props, canvas: HTMLCanvasElement, text: HTMLElement, onSize: (aspect: number) => void) {
  let stop = () => {};
  let isGone = false;
  const work = async () => {
    const page = await props.pdf.getPage(props.number);
    if (isGone) return;
    const natural = page.getViewport({ scale: 1 });
    onSize(natural.height / natural.width);
    const viewport = page.getViewport({ scale: props.width / natural.width });
    const density = scaleOf(viewport.width, viewport.height);
    canvas.width = Math.round(viewport.width * density);
    canvas.height = Math.round(viewport.height * density);
    const render = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
    stop = () => {
      render.cancel();
      layer.cancel();
    };
    text.replaceChildren();
    text.style.setProperty("--total-scale-factor", String(viewport.scale));
    await Promise.all([render.promise, layer.render()]);
  };
  work().catch((error: unknown) => {
    // A page that cannot be drawn stays empty; the others are there.
    if (!isGone && !(error instanceof RenderingCancelledException)) canvas.dataset.failed = "true";
  });
  return () => {
    isGone = true;
    stop();
  };
}

function PdfPage(props: Props) {
  const { pdf, number, width, aspect, label } = props;
  const frame = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [ownAspect, setOwnAspect] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new IntersectionObserver(([seen]) => setNear(seen?.isIntersecting ?? false), {
      root: element.parentElement,
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is guessed of the size draws nothing anew
  useEffect(() => {
    if (!isNear || !canvas.current || !text.current) return;
    return draw(props, canvas.current, text.current, setOwnAspect);
  }, [isNear, pdf, number, width]);
  return (
    <section
      ref={frame}
      className={styles.page}
      // Letters are placed one by one from the left, in every language.
      dir="ltr"
      aria-label={label}
      style={{ inlineSize: width, blockSize: width * (ownAspect ?? aspect) }}
    >
      {isNear && <canvas ref={canvas} className={styles.canvas} aria-hidden />}
      {isNear && <div ref={text} className={styles.text} />}
    </section>
  );
}

type Loaded = { pdf: PDFDocumentProxy | null; error: unknown };

/** A document as long as it is shown. */
function usePdf(path: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ pdf: null, error: null });
  useEffect(() => {
    let isGone = false;
    const task = openPdf(path);
    task.promise.then(
      (pdf) => !isGone && setLoaded({ pdf, error: null }),
      (error: unknown) => !isGone && setLoaded({ pdf: null, error }),
    );
    return () => {
      isGone = true;
      void task.destroy();
    };
  }, [path]);
  return loaded;
}

/** Where vite.config.ts puts what pdf.js fetches when a document needs it. */
const PARTS = at(import.meta.env.PDF_PARTS);

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
function openPdf(path: string): PDFDocumentLoadingTask {
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
