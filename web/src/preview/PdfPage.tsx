import { useEffect, useRef, useState } from "react";
import styles from "./PdfPreview.module.css";
import { type PDFDocumentProxy, RenderingCancelledException, TextLayer } from "./pdf";

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

export function PdfPage(props: Props) {
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
      aria-label={label}
      style={{ inlineSize: width, blockSize: width * (ownAspect ?? aspect) }}
    >
      {isNear && <canvas ref={canvas} className={styles.canvas} aria-hidden />}
      {isNear && <div ref={text} className={styles.text} dir="ltr" />}
    </section>
  );
}
