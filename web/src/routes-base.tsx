// What all other routes lie below, and the pages for those who are not signed in.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "./api/session";
import { withPageTexts } from "./messages";
import { NotFound } from "./shell/Fallbacks";

type Context = { client: QueryClient };
// A value that is refused is named as undefined: one that is not named stands as it came.
type ReturnSearch = { to?: string | undefined };

export const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

/** A page beside the files, which is loaded with the texts of those. */
// biome-ignore lint/suspicious/noExplicitAny: the router asks for modules in these words
export function page<Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => withPageTexts(load), name);
}

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

export const setUpRoute = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: lazyRouteComponent(() => import("./sign-in/SetUpPage"), "SetUpPage"),
});

const shell = lazyRouteComponent(() => import("./shell/Shell"), "Shell");

/** What only those see who are signed in: without a session it leads to the sign-in page, and then back. */
export const signedIn = createRoute({
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
