import { useMemo } from "react";
import { encode } from "uqr";
import styles from "./QrCode.module.css";

type Props = { text: string; label: string };

/** A text as a QR code, black on white in each theme, since readers want it so. */
export function QrCode({ text, label }: Props) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

/** The dark modules as squares, with the quiet zone of four around them (ISO/IEC 18004). */
function drawn(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join("") };
}
