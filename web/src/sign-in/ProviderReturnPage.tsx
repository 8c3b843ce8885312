import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { goToProvider, lastTrip, methodsQuery, type Trip } from "~/api/methods";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { BASE } from "~/platform/base";
import { FormCard } from "./FormCard";

/** The status with which this page was answered; 0 where the browser does not tell. */
function ownStatus(): number {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming ? page.responseStatus : 0;
}

const isAway = (status: number) => status === 502 || status === 504;

const TITLES = { signIn: "provider.title", confirm: "provider.unconfirmed", link: "provider.unlinked" } as const;

function reason(purpose: Trip["purpose"], status: number) {
  if (isAway(status)) return "provider.away";
  if (status === 429) return "problem.rate_limited";
  if (purpose === "confirm") return "provider.notYou";
  if (status === 409) return "provider.taken";
  return status === 403 ? "provider.refused" : "provider.failed";
}

/** Where the server does not let people go on to a provider, or in when they come back: says why, and what can be done. */
export function ProviderReturnPage() {
  const { t } = useMessages();
  const { data: methods } = useQuery(methodsQuery);
  const trip: Trip = lastTrip() ?? { purpose: "signIn", to: "/files/" };
  const isSignIn = trip.purpose === "signIn";
  const asOther = isSignIn && !isAway(ownStatus());
  return (
    <FormCard title={t(TITLES[trip.purpose])} onSubmit={(event) => event.preventDefault()}>
      <p role="alert">{t(reason(trip.purpose, ownStatus()))}</p>
      {methods?.provider && (
        <Button look="primary" onPress={() => goToProvider(trip, asOther ? "login" : undefined)}>
          {t(asOther ? "provider.other" : "app.retry")}
        </Button>
      )}
      {isSignIn ? <Link to="/sign-in">{t("setUp.toSignIn")}</Link> : <a href={BASE + trip.to}>{t("provider.back")}</a>}
    </FormCard>
  );
}
