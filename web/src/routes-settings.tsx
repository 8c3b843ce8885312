// The pages of an account's own settings.
import { createRoute, redirect } from "@tanstack/react-router";
import { page, signedIn } from "./routes-base";

const settingsRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "settings",
  component: page(() => import("./settings/SettingsLayout"), "SettingsLayout"),
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
  component: page(() => import("./account/AccountPage"), "AccountPage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings/api-keys",
  component: page(() => import("./keys/KeysPage"), "KeysPage"),
});

const connectorsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/settings/connectors",
  component: page(() => import("./connectors/ConnectorsPage"), "ConnectorsPage"),
});

export const settingsRoutes = settingsRoute.addChildren([
  settingsHomeRoute,
  accountRoute,
  apiKeysRoute,
  connectorsRoute,
]);
