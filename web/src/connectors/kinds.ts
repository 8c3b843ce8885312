import type { Translate } from "~/messages";
import { type Draft, emptyDraft } from "./draft";
import { providerName } from "./options";
import type { Provider } from "./query";

/** Something that can be connected. */
export type Kind = { id: string; name: string; hint: string; draft: () => Draft };

export function serverKinds(t: Translate): Kind[] {
  return [
    { id: "sftp", name: "SFTP", hint: t("connectors.sftpHint"), draft: () => emptyDraft("sftp") },
    { id: "ftps", name: "FTPS", hint: t("connectors.ftpsHint"), draft: () => emptyDraft("ftp", "", "explicit") },
    { id: "ftp", name: "FTP", hint: t("connectors.ftpHint"), draft: () => emptyDraft("ftp") },
  ];
}

export function driveKinds(providers: readonly Provider[]): Kind[] {
  const kinds = providers.map(({ type, name }) => {
    const { short, rest } = providerName(name);
    return { id: `drive:${type}`, name: short, hint: rest, draft: () => emptyDraft("drive", type) };
  });
  return kinds.sort((a, b) => a.name.localeCompare(b.name));
}

/** Those whose names hold what is typed; of S3 the names of all that it stands for, too. */
export function matching(kinds: readonly Kind[], text: string): Kind[] {
  const wanted = text.trim().toLowerCase();
  return kinds.filter(({ name, hint }) => `${name} ${hint}`.toLowerCase().includes(wanted));
}
