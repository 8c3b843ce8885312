interface ImportMetaEnv {
  /** Where script/pdf-parts.mjs puts what pdf.js fetches. */
  readonly PDF_PARTS: `/${string}`;
}
