import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { contentAddress } from "~/content/address";
import { NoPreview, PreviewFailed, PreviewSkeleton } from "~/content/ContentStates";
import { textQuery } from "~/content/text-file";
import { useMessages } from "~/messages";
import { folderLink, previewName } from "~/model/folder-address";
import { nameOf, parentPath } from "~/model/path";
import styles from "./MarkdownPreview.module.css";
import { ReadAs } from "./ReadAs";

const PLUGINS = [remarkGfm];

/** A document, made of elements one by one: HTML in it stays text, and nothing in it can run. */
export function MarkdownPreview({ path }: { path: string }) {
  const { t } = useMessages();
  const { data: file, error, refetch } = useQuery(textQuery(path));
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file) return <PreviewSkeleton />;
  if (file.encoding === null) return <NoPreview />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long document is scrolled by keys
    <section className={styles.page} aria-label={nameOf(path)} tabIndex={0}>
      <ReadAs path={path} file={file} />
      <article className={styles.document} dir="auto">
        <Markdown
          remarkPlugins={PLUGINS}
          components={{
            a: ({ href, children }) => <DocumentLink document={path} href={href} text={children} />,
            img: ({ src, alt }) => <DocumentPicture document={path} src={src} alt={alt ?? ""} />,
          }}
        >
          {file.text}
        </Markdown>
        {!file.isWhole && <p className={styles.note}>{t("preview.cut")}</p>}
      </article>
    </section>
  );
}

type LinkProps = { document: string; href: string | undefined; text: ComponentProps<"a">["children"] };

function DocumentLink({ document, href, text }: LinkProps) {
  const target = resolveLink(document, href ?? "");
  if (!target) return <span>{text}</span>;
  if ("elsewhere" in target) {
    return (
      <a href={target.elsewhere} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  }
  const folder = parentPath(target.file);
  return (
    <Link {...folderLink(folder)} search={{ preview: previewName(folder, target.file) }}>
      {text}
    </Link>
  );
}

/** Only files beside the document: a picture from elsewhere would tell others who reads it. */
function DocumentPicture({ document, src, alt }: { document: string; src: unknown; alt: string }) {
  const target = resolveLink(document, typeof src === "string" ? src : "");
  if (target && "file" in target) return <img src={contentAddress(target.file)} alt={alt} loading="lazy" />;
  return (
    <DocumentLink document={document} href={typeof src === "string" ? src : undefined} text={alt || String(src)} />
  );
}

type Target = { file: string } | { elsewhere: string };

const ELSEWHERE = /^(https?|mailto):/i;
// Characters that browsers drop, so that a scheme may hide between them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0020\u007f]/;

/**
 * Where a link in a document leads: a file, named from where the document lies, or an address elsewhere. Null for all that
 * runs something, and for what is not to be had.
 */
export function resolveLink(document: string, link: string): Target | null {
  if (ELSEWHERE.test(link)) return { elsewhere: link };
  const [path = ""] = link.split(/[?#]/, 1);
  if (path === "" || path.startsWith("/") || path.includes(":") || HIDDEN.test(path)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  const steps = document.split("/").slice(0, -1);
  for (const step of decoded.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return { file: steps.join("/") };
}
