// Every key of server state, so that what is invalidated together stands together.
export type Order = "asc" | "desc";
export type Sort = "name" | "size" | "modified";
export type FolderOrder = { sort: Sort; order: Order };
/** Names stand in the order of a language. */
type NameOrder = { language: string };

export const keys = {
  session: ["session"] as const,
  setup: ["setup"] as const,
  signInMethods: ["signInMethods"] as const,
  account: ["account"] as const,
  locations: ["locations"] as const,
  folders: ["folder"] as const,
  /** All orders of one folder. */
  folder: (path: string) => ["folder", path] as const,
  folderPages: (path: string, order: NameOrder & FolderOrder) => ["folder", path, "pages", order] as const,
  /** The folders in a folder, for a tree. */
  subfolders: (path: string, order: NameOrder) => ["folder", path, "subfolders", order] as const,
  /** The versions of a file in a folder, which change with that. */
  versions: (folder: string, path: string) => ["folder", folder, "versions", path] as const,
  versionText: (id: string) => ["versionText", id] as const,
  tasks: ["tasks"] as const,
  task: (id: string) => ["tasks", id] as const,
  bin: ["bin"] as const,
  text: (path: string) => ["text", path] as const,
  /** The files that another app shared with this one, on this device. */
  shared: ["shared"] as const,
  links: ["links"] as const,
  /** What people share with people, whoever shares it. */
  sharing: ["sharing"] as const,
  sharedByMe: ["sharing", "byMe"] as const,
  sharedWithMe: ["sharing", "withMe"] as const,
  /** Links that others made in what the account shares with them. */
  linksOfReceivers: ["sharing", "links"] as const,
  /** Those to share with whose names begin so. */
  people: (text: string) => ["people", text] as const,
  unfinishedUploads: ["unfinishedUploads"] as const,
  /** The item behind a link's token, for guests. */
  guest: (token: string) => ["guest", token] as const,
  guestFolder: (token: string, path: string, order: NameOrder) => ["guest", token, "folder", path, order] as const,
  accounts: ["admin", "accounts"] as const,
  /** All of them at once, to choose from. */
  accountNames: ["admin", "accounts", "names"] as const,
  accountPages: ["admin", "accounts", "pages"] as const,
  shares: ["admin", "shares"] as const,
  groups: ["admin", "groups"] as const,
  serverFolders: (path: string | null) => ["admin", "folders", path] as const,
  /** Of whichever accounts. */
  everyConnector: ["admin", "connectors"] as const,
  allConnectors: (account: string) => ["admin", "connectors", account] as const,
  allSessions: (account: string) => ["admin", "sessions", account] as const,
  audit: ["admin", "audit"] as const,
  settings: (language: string) => ["admin", "settings", language] as const,
  server: ["admin", "server"] as const,
  apiKeys: ["apiKeys"] as const,
  sessions: ["sessions"] as const,
  security: ["security"] as const,
  identities: ["identities"] as const,
  dav: ["dav"] as const,
  connectors: ["connectors"] as const,
  /** The providers of drives, which are those of the server's program. */
  providers: ["providers"] as const,
};
