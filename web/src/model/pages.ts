// The pages that have an address of their own: routes, navigation and the tests' tours of all pages use these lists.

/** The pages of an account's settings, in the order of their tabs. */
export const SETTINGS_PAGES = [
  { path: "/settings/account", title: "settings.account" },
  { path: "/settings/security", title: "settings.security" },
  { path: "/settings/api-keys", title: "settings.keys" },
  { path: "/settings/devices", title: "settings.devices" },
  { path: "/settings/connectors", title: "settings.connectors" },
] as const;

/** The pages of administration, in the order of their tabs. */
export const ADMIN_PAGES = [
  { path: "/admin/accounts", title: "admin.accounts" },
  { path: "/admin/groups", title: "admin.groups" },
  { path: "/admin/shares", title: "admin.shares" },
  { path: "/admin/connectors", title: "admin.connectors" },
  { path: "/admin/storage", title: "admin.storage" },
  { path: "/admin/sessions", title: "admin.sessions" },
  { path: "/admin/sign-in", title: "admin.signIn" },
  { path: "/admin/audit", title: "admin.audit" },
  { path: "/admin/settings", title: "admin.settings" },
] as const;

/** The other pages for people who are signed in. */
export const PLAIN_PAGES = [
  { path: "/bin" },
  { path: "/links" },
  { path: "/share" },
  { path: "/shared-with-me" },
  { path: "/shared-by-me" },
] as const;

/** Pages whose routes read more from the address than its path, and pages that need no session. */
export const SPECIAL_PAGES = [
  { path: "/files" },
  { path: "/sign-in" },
  { path: "/set-up" },
  { path: "/s/$token" },
  { path: "/settings/connectors/authorized" },
  { path: "/api/v2/session/oidc/callback" },
] as const;
