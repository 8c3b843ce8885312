/** An event of the server: the data that is stale. */
export type ServerEvent =
  | { kind: "folder"; path: string }
  | { kind: "task" }
  | { kind: "account" }
  /** Anything may have changed. */
  | { kind: "resync" };

/** A server without events, or one that is restarted, is asked for them again after this. */
const LATER_MS = 30_000;

export function eventOf(kind: string, data: string): ServerEvent | null {
  switch (kind) {
    case "folder": {
      const { path } = JSON.parse(data) as { path: string };
      return { kind, path };
    }
    case "task":
    case "account":
    case "resync":
      return { kind };
    default:
      return null;
  }
}

type Handlers = {
  onEvent: (event: ServerEvent) => void;
  /** True once the server reports changes. */
  onLive: (isLive: boolean) => void;
};

/** Follows the changes of folders, and the account's tasks and figures, until the function given back is called. */
export function follow(folders: readonly string[], { onEvent, onLive }: Handlers): () => void {
  const query = new URLSearchParams(folders.map((path) => ["folder", path]));
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const opened = new EventSource(`/api/v2/events?${query}`);
    source = opened;
    opened.onopen = () => onLive(true);
    opened.onerror = () => {
      onLive(false);
      // The browser comes again by itself, but not where it was refused.
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, LATER_MS);
    };
    for (const kind of ["folder", "task", "account", "resync"]) {
      opened.addEventListener(kind, (message) => {
        const event = eventOf(kind, (message as MessageEvent<string>).data);
        if (event) onEvent(event);
      });
    }
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
