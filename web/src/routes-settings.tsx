// The pages of an account's own settings.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { signedIn } from "./routes-base";

const settingsRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "settings",
  component: lazyRouteComponent(() => import("./settings/SettingsLayout"), "SettingsLayout"),
});

const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/account", replace: true });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings/account",
  component: lazyRouteComponent(() => import("./account/AccountPage"), "AccountPage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings/api-keys",
  component: lazyRouteComponent(() => import("./keys/KeysPage"), "KeysPage"),
});

const connectorsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings/connectors",
  component: lazyRouteComponent(() => import("./connectors/ConnectorsPage"), "ConnectorsPage"),
});

export const settingsRoutes = settingsRoute.addChildren([
  settingsHomeRoute,
  accountRoute,
  apiKeysRoute,
  connectorsRoute,
]);
