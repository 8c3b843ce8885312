import { useEffect, useRef, useState } from "react";
import { Problem } from "~/api/problem";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import { NoPreview } from "./NoPreview";
import { PdfPage } from "./PdfPage";
import styles from "./PdfPreview.module.css";
import { PreviewFailed } from "./PreviewFailed";
import { PreviewSkeleton } from "./PreviewSkeleton";
import { usePdf } from "./usePdf";

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

/** What pdf.js throws tells its kind by its name. */
function PdfError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useMessages();
  const { name, status } = error as { name?: string; status?: number };
  if (name === "PasswordException") return <NoPreview reason={t("preview.protected")} />;
  if (name === "InvalidPDFException") return <NoPreview reason={t("preview.damaged")} />;
  const problem = name !== "ResponseException" ? error : new Problem(status === 404 ? "not_found" : "failed", "");
  return <PreviewFailed error={problem} onRetry={onRetry} />;
}
