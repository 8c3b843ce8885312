import { useEffect, useState } from "react";
import { openPdf, type PDFDocumentProxy } from "./pdf";

type Loaded = { pdf: PDFDocumentProxy | null; error: unknown };

/** A document as long as it is shown. */
export function usePdf(path: string): Loaded {
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
