// What whoever owns the machine does so that folders of the server can be shared: no call of the API can.

/** A line of the settings file, with an example to be changed. */
export const ROOTS_LINE = 'share_roots = ["/srv/photos"]';

/** As a word of a shell. */
function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that shares such a folder by itself. */
export function shareCommand({ program, dataFolder }: { program: string; dataFolder: string }): string {
  return `${word(program)} share add --data ${word(dataFolder)} --name Photos --target /srv/photos --everyone`;
}
