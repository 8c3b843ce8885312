// Every page, and what its address means. The server answers the same addresses with the same document: what is
// added here is added to kPages in src/web/interface.cc too, which a test compares.
import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import type { FolderOrder, Order, Sort } from "./api/keys";
import { folderQuery, orderOf } from "./files/folder-query";
import { folderOf } from "./files/path";
import { locationsQuery } from "./locations/query";
import { adminPages, adminRoute } from "./routes-admin";
import { page, root, setUpRoute, signedIn, signInRoute } from "./routes-base";
import { authorizedRoute, settingsRoutes } from "./routes-settings";
import { PageFailed } from "./shell/Fallbacks";

export { signInRoute } from "./routes-base";

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

type Opening = { context: { client: QueryClient }; params: { _splat?: string }; deps: FolderOrder; cause: string };

/**
 * What the folder holds, and where it lies, are asked for while its page comes; where they are known already, the page
 * asks again.
 */
function askForFolder({ context, params, deps, cause }: Opening): void {
  // A pointer over a link is no reason to ask somebody else's server.
  if (cause === "preload") return;
  void context.client.prefetchQuery(locationsQuery);
  const query = folderQuery(folderOf(params._splat), deps);
  void context.client.prefetchInfiniteQuery({ ...query, staleTime: Number.POSITIVE_INFINITY });
}

const opening = {
  loaderDeps: ({ search }: { search: FilesSearch }) => orderOf(search),
  loader: askForFolder,
};

// The root's address ends with a slash, so that every folder's begins with it: two routes of one page.
const rootFolderRoute = createRoute({ getParentRoute: () => filesRoute, path: "/", ...opening });
const folderRoute = createRoute({ getParentRoute: () => filesRoute, path: "$", ...opening });

const binRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/bin",
  component: page(() => import("./bin/BinPage"), "BinPage"),
});

const linksRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/links",
  component: page(() => import("./links/LinksPage"), "LinksPage"),
});

const shareRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/share",
  component: page(() => import("./share-target/SharePage"), "SharePage"),
});

// What a share link opens, for people without an account; folders below it have addresses of their own.
const guestRoute = createRoute({
  getParentRoute: () => root,
  path: "/s/$token",
  component: page(() => import("./guest/GuestPage"), "GuestPage"),
});
const guestTopRoute = createRoute({ getParentRoute: () => guestRoute, path: "/" });
const guestFolderRoute = createRoute({ getParentRoute: () => guestRoute, path: "$" });

const tree = root.addChildren([
  signInRoute,
  setUpRoute,
  authorizedRoute,
  guestRoute.addChildren([guestTopRoute, guestFolderRoute]),
  signedIn.addChildren([
    homeRoute,
    filesRoute.addChildren([rootFolderRoute, folderRoute]),
    binRoute,
    linksRoute,
    shareRoute,
    adminRoute.addChildren(adminPages),
    settingsRoutes,
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
