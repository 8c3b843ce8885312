// Every page, and what its address means. The server answers the same addresses with the same document: what is
// added here is added to kPages in src/web/interface.cc too, which a test compares.
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import type { FolderOrder, Order, Sort } from "./api/keys";
import { sessionQuery } from "./api/session";
import { NotFound, PageFailed } from "./shell/Fallbacks";
import { Shell } from "./shell/Shell";

type Context = { client: QueryClient };
// A value that is refused is named as undefined: one that is not named stands as it came.
type ReturnSearch = { to?: string | undefined };

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

/** Only an address within the interface: not `//elsewhere`, and not what a browser would make that of. */
function returnAddress(to: unknown): ReturnSearch {
  return { to: typeof to === "string" && /^\/(?![/\\])/.test(to) ? to : undefined };
}

export const signInRoute = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): ReturnSearch => returnAddress(search.to),
  component: lazyRouteComponent(() => import("./sign-in/SignInPage"), "SignInPage"),
});

const setUpRoute = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: lazyRouteComponent(() => import("./sign-in/SetUpPage"), "SetUpPage"),
});

/** What only those see who are signed in: without a session it leads to the sign-in page, and then back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: "/sign-in", search: returnAddress(location.href) });
  },
  component: Shell,
});

const homeRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/files/" });
  },
});

export type FilesSearch = { [K in keyof FolderOrder]?: FolderOrder[K] | undefined };

const SORTS: readonly Sort[] = ["name", "size", "modified"];
const ORDERS: readonly Order[] = ["asc", "desc"];

export const filesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/files",
  validateSearch: (search: Record<string, unknown>): FilesSearch => ({
    sort: SORTS.find((known) => known === search.sort),
    order: ORDERS.find((known) => known === search.order),
  }),
  component: lazyRouteComponent(() => import("./files/FilesPage"), "FilesPage"),
});

// The root's address ends with a slash, so that every folder's begins with it: two routes of one page.
const rootFolderRoute = createRoute({ getParentRoute: () => filesRoute, path: "/" });
const folderRoute = createRoute({ getParentRoute: () => filesRoute, path: "$" });

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

const tree = root.addChildren([
  signInRoute,
  setUpRoute,
  signedIn.addChildren([
    homeRoute,
    filesRoute.addChildren([rootFolderRoute, folderRoute]),
    settingsRoute.addChildren([settingsHomeRoute, accountRoute, apiKeysRoute, connectorsRoute]),
  ]),
]);

export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultErrorComponent: PageFailed,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    trailingSlash: "preserve",
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
