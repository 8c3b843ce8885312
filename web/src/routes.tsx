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

const shell = lazyRouteComponent(() => import("./shell/Shell"), "Shell");

/** What only those see who are signed in: without a session it leads to the sign-in page, and then back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    // It comes while the session is asked for. Guests, whose pages are not below this one, never load it.
    void shell.preload?.();
    const session = await context.client.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: "/sign-in", search: returnAddress(location.href) });
  },
  component: shell,
});

const homeRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/files/" });
  },
});

/** What a folder's address says beside the folder: its order, what is looked for, and what is shown over it or beside it. */
export type FilesSearch = { [K in keyof FolderOrder]?: FolderOrder[K] | undefined } & {
  q?: string | undefined;
  everywhere?: boolean | undefined;
  preview?: string | undefined;
  edit?: boolean | undefined;
  details?: boolean | undefined;
};

const SORTS: readonly Sort[] = ["name", "size", "modified"];
const ORDERS: readonly Order[] = ["asc", "desc"];

/** Typed by hand, a name that looks like a number comes as one. */
function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

export const filesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/files",
  validateSearch: (search: Record<string, unknown>): FilesSearch => ({
    sort: SORTS.find((known) => known === search.sort),
    order: ORDERS.find((known) => known === search.order),
    q: text(search.q),
    everywhere: flag(search.everywhere),
    preview: text(search.preview),
    edit: flag(search.edit),
    details: flag(search.details),
  }),
  component: lazyRouteComponent(() => import("./files/FilesPage"), "FilesPage"),
});

// The root's address ends with a slash, so that every folder's begins with it: two routes of one page.
const rootFolderRoute = createRoute({ getParentRoute: () => filesRoute, path: "/" });
const folderRoute = createRoute({ getParentRoute: () => filesRoute, path: "$" });

const binRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/bin",
  component: lazyRouteComponent(() => import("./bin/BinPage"), "BinPage"),
});

const linksRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/links",
  component: lazyRouteComponent(() => import("./links/LinksPage"), "LinksPage"),
});

const adminRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin",
  component: lazyRouteComponent(() => import("./administration/AdminFrame"), "AdminFrame"),
});

const adminRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/admin/accounts" });
    },
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/accounts",
    component: lazyRouteComponent(() => import("./administration/AccountsPage"), "AccountsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/shares",
    component: lazyRouteComponent(() => import("./administration/SharesPage"), "SharesPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/connectors",
    component: lazyRouteComponent(() => import("./administration/ConnectorsPage"), "AllConnectorsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/storage",
    component: lazyRouteComponent(() => import("./administration/StoragePage"), "StoragePage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/sessions",
    component: lazyRouteComponent(() => import("./administration/SessionsPage"), "AllSessionsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/audit",
    component: lazyRouteComponent(() => import("./administration/AuditPage"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/settings",
    component: lazyRouteComponent(() => import("./administration/SettingsPage"), "SettingsInForcePage"),
  }),
] as const;

// What a share link opens, for people without an account; folders below it have addresses of their own.
const guestRoute = createRoute({
  getParentRoute: () => root,
  path: "/s/$token",
  component: lazyRouteComponent(() => import("./guest/GuestPage"), "GuestPage"),
});
const guestTopRoute = createRoute({ getParentRoute: () => guestRoute, path: "/" });
const guestFolderRoute = createRoute({ getParentRoute: () => guestRoute, path: "$" });

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
  guestRoute.addChildren([guestTopRoute, guestFolderRoute]),
  signedIn.addChildren([
    homeRoute,
    filesRoute.addChildren([rootFolderRoute, folderRoute]),
    binRoute,
    linksRoute,
    adminRoute.addChildren(adminRoutes),
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
