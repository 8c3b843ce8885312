import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { hasCode, problemText } from "~/api/problem";
import { refreshFolder } from "~/api/refresh";
import type { CodeHandle } from "~/content/CodeView";
import { strangerTo } from "~/content/encodings";
import { asUtf8, encode, fetchText, type TextFile } from "~/content/text-file";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { nameOf, parentPath } from "~/model/path";

/** The server's version of a file that changed during the editing; `theirs` is null if the file is gone. What is typed
 * is to be stored as `as` says. */
export type Conflict = { mine: string; theirs: TextFile | null; as: TextFile };
export type Choice = "mine" | "theirs" | "both" | "neither";

const MOST_NAMES = 100;

async function fetchTheirs(path: string): Promise<TextFile | null> {
  try {
    return await fetchText(path);
  } catch (error) {
    if (hasCode(error, "not_found")) return null;
    throw error;
  }
}

/** Stores what is typed, never over a version that was not seen. */
export function useSaving(path: string, opened: TextFile, code: RefObject<CodeHandle | null>) {
  const { t } = useMessages();
  const client = useQueryClient();
  /** The state of the file that the text was made from. */
  const base = useRef<TextFile>(opened);
  const [shown, setShown] = useState(opened);
  const changes = useRef(0);
  const [isChanged, setChanged] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** A character that the file's encoding has no place for. */
  const [stranger, setStranger] = useState<string | null>(null);

  const guarded = async (work: () => Promise<void>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await work();
    } catch (error) {
      setRefusal(problemText(t, error));
    }
    setBusy(false);
  };

  const store = async (etag: string | null, as: TextFile = base.current) => {
    const text = code.current?.text() ?? "";
    const upTo = changes.current;
    const content = encode(text, as);
    setStranger(content ? null : strangerTo(as.encoding ?? "utf-8", text));
    if (!content) return;
    try {
      const stored = await saveText(client, path, content, etag);
      base.current = { ...as, text, etag: stored ?? (await stateAfter(text)) };
      setConflict(null);
      if (changes.current === upTo) setChanged(false);
    } catch (error) {
      if (!hasCode(error, "precondition_failed")) throw error;
      setConflict({ mine: text, theirs: await fetchTheirs(path), as });
    }
  };
  /** Where the server did not tell which state it stored: the one that is there, if it is that text. */
  const stateAfter = async (text: string) => {
    const now = await fetchText(path);
    return now.text === text ? now.etag : base.current.etag;
  };
  const storeBeside = async () => {
    for (let number = 2; number < MOST_NAMES; number += 1) {
      const other = nameBeside(path, number);
      try {
        const text = code.current?.text() ?? "";
        const content = encode(text, base.current) ?? new TextEncoder().encode(text);
        await saveText(client, other, content, null);
        showToast({ text: t("editor.keptBeside", { name: nameOf(other) }) });
        return;
      } catch (error) {
        if (!hasCode(error, "precondition_failed")) throw error;
      }
    }
    throw new Error("every name is taken");
  };
  const take = (theirs: TextFile) => {
    base.current = theirs;
    // An editor has one kind of line break: for another it is made anew.
    if (theirs.lineBreak === shown.lineBreak) code.current?.replace(theirs.text);
    else setShown(theirs);
    setChanged(false);
    setConflict(null);
  };
  const resolve = (choice: Choice) => {
    const theirs = conflict?.theirs ?? null;
    if (choice === "neither") return setConflict(null);
    void guarded(async () => {
      if (choice === "mine") return store(theirs?.etag ?? null, conflict?.as);
      if (choice === "both") await storeBeside();
      if (theirs) take(theirs);
    });
  };
  return {
    /** The text that the editor begins with. */
    shown,
    isChanged,
    isBusy,
    refusal,
    conflict,
    resolve,
    /** Null while all that is typed has a place in `encoding`. */
    stranger,
    encoding: base.current.encoding,
    saveAsUtf8: async () => {
      await guarded(() => store(base.current.etag, asUtf8(base.current)));
    },
    noteChange: () => {
      changes.current += 1;
      setChanged(true);
    },
    save: async () => {
      if (!isBusy && isChanged) await guarded(() => store(base.current.etag));
    },
  };
}

/** Stores a text if the file is still in the state of `etag`, or if there is none where it is null; gives its new state. */
async function saveText(
  client: QueryClient,
  path: string,
  content: Uint8Array<ArrayBuffer>,
  etag: string | null,
): Promise<string | null> {
  let stored: Response | null = null;
  await answerOf(
    v2
      .PUT("/api/v2/files/content", {
        params: { query: { path } },
        body: "",
        bodySerializer: () => content,
        headers: {
          "Content-Type": "application/octet-stream",
          ...(etag === null ? { "If-None-Match": "*" } : { "If-Match": etag }),
        },
      })
      .then((outcome) => {
        stored = outcome.response;
        return outcome;
      }),
  );
  void refreshFolder(client, parentPath(path));
  return (stored as Response | null)?.headers.get("ETag") ?? null;
}

/** A name for what is kept beside the other: `notes (2).txt`. */
function nameBeside(path: string, number: number): string {
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > slash ? dot : path.length;
  return `${path.slice(0, end)} (${number})${path.slice(end)}`;
}
