/** The address of WebDAV as each kind of client takes it. */
export type Addresses = { web: string; gnome: string; rclone: string };

/** `server` is the address of the server with its path, such as `https://files.example.org`. */
export function addressesOf(server: string, userName: string): Addresses {
  const web = `${server}/dav/`;
  // GVfs has schemes of its own: dav for http, davs for https.
  const gnome = web.replace(/^http/, "dav");
  const remote = `:webdav,url='${web}',vendor=owncloud,user=${userName}:`;
  return { web, gnome, rclone: `rclone lsd "${remote}" --webdav-pass "$(rclone obscure "$PASSWORD")"` };
}
