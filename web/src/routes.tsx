// Every page's address and component. `model/pages.ts` lists the pages.
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { FolderOrder } from "./api/keys";
import { sessionQuery } from "./api/session";
import { later } from "./controls/later";
import { folderQuery } from "./files/folder-query";
import { withPageTexts } from "./messages";
import { type FilesSearch, filesSearchOf, orderOf } from "./model/folder-address";
import { locationsQuery } from "./model/locations";
import { ADMIN_PAGES, PLAIN_PAGES, SETTINGS_PAGES } from "./model/pages";
import { folderOf } from "./model/path";
import { at } from "./platform/base";
import { PageFailed } from "./shell/Fallbacks";

type Context = { client: QueryClient };
// A refused value has to be named as undefined: a value that is not named stays as it came.
type ReturnSearch = { to?: string | undefined };

const PAGE = { fills: "page", isLarge: true } as const;

/** A page beside the files: it is loaded together with the texts of such pages. */
function page(load: () => Promise<ComponentType>) {
  return later(() => withPageTexts(load), PAGE);
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: page(async () => (await import("./shell/NotFound")).NotFound),
});

/** Only an address within the interface: neither `//elsewhere` nor what a browser would read as that. */
function returnAddress(to: unknown): ReturnSearch {
  return { to: typeof to === "string" && /^\/(?![/\\])/.test(to) ? to : undefined };
}

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): ReturnSearch => returnAddress(search.to),
  component: page(async () => (await import("./sign-in/SignInPage")).SignInPage),
});

// Where the server does not let somebody go on to a provider of sign-in, or in when they come back.
const providerRefusal = <const Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    // Nothing of an answer may stay in the history, nor what providers add.
    validateSearch: () => ({
      code: undefined,
      state: undefined,
      iss: undefined,
      session_state: undefined,
      error: undefined,
      error_description: undefined,
    }),
    component: page(async () => (await import("./sign-in/ProviderReturnPage")).ProviderReturnPage),
  });

// The query as it arrived: the router rewrites it, and a code of digits would not stay the same.
const arrivedWith = window.location.search;

// A drive's provider sends people back to this page, in a window of its own that needs no session.
const authorizedRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/connectors/authorized",
  // A code must not stay in the history.
  validateSearch: () => ({ code: undefined, state: undefined }),
  loader: async () => (await import("./connectors/consent")).handOn(arrivedWith),
  staleTime: Number.POSITIVE_INFINITY,
  component: page(async () => (await import("./connectors/AuthorizedPage")).AuthorizedPage),
});

// The page of a share link, for guests; the folders below it have addresses of their own.
const guestRoute = createRoute({
  getParentRoute: () => root,
  path: "/s/$token",
  component: page(async () => (await import("./guest/GuestPage")).GuestPage),
});

const setUpRoute = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: page(async () => (await import("./sign-in/SetUpPage")).SetUpPage),
});

const guestTopRoute = createRoute({ getParentRoute: () => guestRoute, path: "/" });
const guestFolderRoute = createRoute({ getParentRoute: () => guestRoute, path: "$" });

const shell = later(async () => (await import("./shell/Shell")).Shell, PAGE);

/** The parent of all pages that need a session. Without one it leads to the sign-in page, which leads back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    // Loads the shell during the request for the session. Guests, whose pages are not below this one, never load it.
    void shell.preload();
    const session = await context.client.ensureQueryData(sessionQuery);
    if (!session || session.needsSecondFactor) throw redirect({ to: "/sign-in", search: returnAddress(location.href) });
  },
  component: shell,
});

type Components<Pages extends readonly { path: string }[]> = Record<Pages[number]["path"], RouteComponent>;

const PLAIN: Components<typeof PLAIN_PAGES> = {
  "/bin": page(async () => (await import("./bin/BinPage")).BinPage),
  "/links": page(async () => (await import("./links/LinksPage")).LinksPage),
  "/share": page(async () => (await import("./share-target/SharePage")).SharePage),
  "/shared-with-me": page(async () => (await import("./sharing/SharedWithMePage")).SharedWithMePage),
  "/shared-by-me": page(async () => (await import("./sharing/SharedByMePage")).SharedByMePage),
};
const plainRoutes = PLAIN_PAGES.map(({ path }) =>
  createRoute({ getParentRoute: () => signedIn, path, component: PLAIN[path] }),
);

const filesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/files",
  validateSearch: filesSearchOf,
  component: later(async () => (await import("./files/FilesPage")).FilesPage, PAGE),
});

type Opening = { context: Context; params: { _splat?: string }; deps: FolderOrder; cause: string };

/** Requests the folder and the locations while the page's code is loading. The page itself refreshes known ones. */
function requestFolder({ context, params, deps, cause }: Opening): void {
  // A pointer over a link must not cause a request to somebody else's server.
  if (cause === "preload") return;
  void context.client.prefetchQuery(locationsQuery);
  const query = folderQuery(folderOf(params._splat), deps);
  void context.client.prefetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY });
}

const folderLoading = {
  loaderDeps: ({ search }: { search: FilesSearch }) => orderOf(search),
  loader: requestFolder,
};

// The root's address ends with a slash, so that every folder's address begins with it: two routes of one page.
const rootFolderRoute = createRoute({ getParentRoute: () => filesRoute, path: "/", ...folderLoading });
const folderRoute = createRoute({ getParentRoute: () => filesRoute, path: "$", ...folderLoading });

const settingsRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "settings-frame",
  component: page(async () => (await import("./settings/SettingsLayout")).SettingsLayout),
});

const SETTINGS: Components<typeof SETTINGS_PAGES> = {
  "/settings/account": page(async () => (await import("./account/AccountPage")).AccountPage),
  "/settings/security": page(async () => (await import("./security/SecurityPage")).SecurityPage),
  "/settings/api-keys": page(async () => (await import("./keys/KeysPage")).KeysPage),
  "/settings/devices": page(async () => (await import("./devices/DevicesPage")).DevicesPage),
  "/settings/connectors": page(async () => (await import("./connectors/ConnectorsPage")).ConnectorsPage),
};
const settingsRoutes = SETTINGS_PAGES.map(({ path }) =>
  createRoute({ getParentRoute: () => settingsRoute, path, component: SETTINGS[path] }),
);

const adminRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "admin-frame",
  component: page(async () => (await import("./administration/AdminFrame")).AdminFrame),
});

const ADMIN: Components<typeof ADMIN_PAGES> = {
  "/admin/accounts": page(async () => (await import("./administration/AccountsPage")).AccountsPage),
  "/admin/groups": page(async () => (await import("./administration/GroupsPage")).GroupsPage),
  "/admin/shares": page(async () => (await import("./administration/SharesPage")).SharesPage),
  "/admin/connectors": page(async () => (await import("./administration/ConnectorsPage")).AllConnectorsPage),
  "/admin/storage": page(async () => (await import("./administration/StoragePage")).StoragePage),
  "/admin/sessions": page(async () => (await import("./administration/SessionsPage")).AllSessionsPage),
  "/admin/sign-in": page(async () => (await import("./administration/SignInTestPage")).SignInTestPage),
  "/admin/audit": page(async () => (await import("./administration/AuditPage")).AuditPage),
  "/admin/settings": page(async () => (await import("./administration/SettingsPage")).SettingsInForcePage),
};
const adminRoutes = ADMIN_PAGES.map(({ path }) =>
  createRoute({ getParentRoute: () => adminRoute, path, component: ADMIN[path] }),
);

/** An address that only leads to a page. */
const leadsTo = <const Path extends string>(path: Path, to: "/files/" | "/settings/account" | "/admin/accounts") =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

const tree = root.addChildren([
  signInRoute,
  setUpRoute,
  authorizedRoute,
  providerRefusal("/api/v2/session/oidc/callback"),
  providerRefusal("/api/v2/session/oidc/start"),
  providerRefusal("/api/v2/session/oidc/confirm"),
  providerRefusal("/api/v2/account/identities/start"),
  guestRoute.addChildren([guestTopRoute, guestFolderRoute]),
  signedIn.addChildren([
    leadsTo("/", "/files/"),
    leadsTo("/settings", "/settings/account"),
    leadsTo("/admin", "/admin/accounts"),
    filesRoute.addChildren([rootFolderRoute, folderRoute]),
    ...plainRoutes,
    settingsRoute.addChildren(settingsRoutes),
    adminRoute.addChildren(adminRoutes),
  ]),
]);

export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    basepath: at("/"),
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
