import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { later } from "~/controls/later";
import { useMessages } from "~/messages";
import { PageHead } from "~/settings/Section";
import { davQuery } from "./query";

const ConnectDevice = later(async () => (await import("./ConnectDevice")).ConnectDevice);

/** The page that gives a computer or phone the way to the files. */
export function DevicesPage() {
  const { t } = useMessages();
  const { data: isOffered = true } = useQuery(davQuery);
  const [isOpen, setOpen] = useState(false);
  if (!isOffered) {
    return (
      <>
        <PageHead title={t("settings.devices")} />
        <EmptyState icon={MonitorSmartphone} title={t("devices.off")} hint={t("devices.offHint")} />
      </>
    );
  }
  return (
    <>
      <PageHead title={t("settings.devices")} intro={t("devices.intro")}>
        <Button look="primary" icon={MonitorSmartphone} onPress={() => setOpen(true)}>
          {t("devices.connect")}
        </Button>
      </PageHead>
      <p>
        {t("devices.revoke")} <Link to="/settings/api-keys">{t("settings.keys")}</Link>
      </p>
      {isOpen && <ConnectDevice onClose={() => setOpen(false)} />}
    </>
  );
}
