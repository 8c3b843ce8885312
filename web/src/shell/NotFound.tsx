import { Link } from "@tanstack/react-router";
import { MapPinOff } from "lucide-react";
import { EmptyState } from "~/controls/EmptyState";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";

/** In the place of a page at an address that has none. */
export function NotFound() {
  const { t } = useMessages();
  return (
    <main>
      <PageTitle text={t("notFound.title")} isHeading />
      <EmptyState icon={MapPinOff} title={t("notFound.title")} hint={t("notFound.hint")}>
        <Link to="/files/">{t("app.toFiles")}</Link>
      </EmptyState>
    </main>
  );
}
