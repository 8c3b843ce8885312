import type { Plugin } from "vite";

export const PDF_PARTS: string;
export function pdfParts(): Plugin;
