// The pages of administration.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { signedIn } from "./routes-base";

export const adminRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "admin",
  component: lazyRouteComponent(() => import("./administration/AdminFrame"), "AdminFrame"),
});

export const adminPages = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin",
    beforeLoad: () => {
      throw redirect({ to: "/admin/accounts" });
    },
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/accounts",
    component: lazyRouteComponent(() => import("./administration/AccountsPage"), "AccountsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/shares",
    component: lazyRouteComponent(() => import("./administration/SharesPage"), "SharesPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/connectors",
    component: lazyRouteComponent(() => import("./administration/ConnectorsPage"), "AllConnectorsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/storage",
    component: lazyRouteComponent(() => import("./administration/StoragePage"), "StoragePage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/sessions",
    component: lazyRouteComponent(() => import("./administration/SessionsPage"), "AllSessionsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/audit",
    component: lazyRouteComponent(() => import("./administration/AuditPage"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/settings",
    component: lazyRouteComponent(() => import("./administration/SettingsPage"), "SettingsInForcePage"),
  }),
] as const;
