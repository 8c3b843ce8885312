import { useMessages } from "~/messages";

/** The window's title; `isHeading` adds a heading for screen readers on pages that show none. */
export function PageTitle({ text, isHeading = false }: { text: string; isHeading?: boolean }) {
  const { t } = useMessages();
  return (
    <>
      <title>{`${text} · ${t("app.name")}`}</title>
      {isHeading && <h1 className="hidden-text">{text}</h1>}
    </>
  );
}
