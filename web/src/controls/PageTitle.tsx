import { useMessages } from "~/messages";

/** What the window is called; `isHeading` where the page shows no heading of its own, for those who only hear it. */
export function PageTitle({ text, isHeading = false }: { text: string; isHeading?: boolean }) {
  const { t } = useMessages();
  return (
    <>
      <title>{`${text} · ${t("app.name")}`}</title>
      {isHeading && <h1 className="hidden-text">{text}</h1>}
    </>
  );
}
