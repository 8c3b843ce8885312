// The pages of administration.
import { createRoute, redirect } from "@tanstack/react-router";
import { page, signedIn } from "./routes-base";

export const adminRoute = createRoute({
  getParentRoute: () => signedIn,
  id: "admin",
  component: page(() => import("./administration/AdminFrame"), "AdminFrame"),
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
    component: page(() => import("./administration/AccountsPage"), "AccountsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/shares",
    component: page(() => import("./administration/SharesPage"), "SharesPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/connectors",
    component: page(() => import("./administration/ConnectorsPage"), "AllConnectorsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/storage",
    component: page(() => import("./administration/StoragePage"), "StoragePage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/sessions",
    component: page(() => import("./administration/SessionsPage"), "AllSessionsPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/audit",
    component: page(() => import("./administration/AuditPage"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: "/admin/settings",
    component: page(() => import("./administration/SettingsPage"), "SettingsInForcePage"),
  }),
] as const;
