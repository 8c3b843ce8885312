// The pages of an account's own settings.
import { createRoute, redirect } from "@tanstack/react-router";
import { page, root, signedIn } from "./routes-base";

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

// As it came: the router writes addresses in its own way, where a code of digits would not stay what it is.
const arrivedWith = window.location.search;

// Where a drive's provider sends people back to; in a window of its own, which needs no session.
export const authorizedRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/connectors/authorized",
  // A code stays in no history.
  validateSearch: () => ({ code: undefined, state: undefined }),
  loader: async () => (await import("./connectors/consent")).handOn(arrivedWith),
  staleTime: Number.POSITIVE_INFINITY,
  component: page(() => import("./connectors/AuthorizedPage"), "AuthorizedPage"),
});

export const settingsRoutes = settingsRoute.addChildren([
  settingsHomeRoute,
  accountRoute,
  apiKeysRoute,
  connectorsRoute,
]);
