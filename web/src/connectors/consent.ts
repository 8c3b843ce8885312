// A person agrees at a drive's provider in another window, which the provider then sends back to this server. That window
// hands what it came with to the one that waits, by a channel that only pages of this origin hear.
const CHANNEL = "coffer-drive-login";
const PATIENCE_MS = 2000;

/** Where providers send people back to, as they have to be allowed to. */
export const RETURN_PATH = "/settings/connectors/authorized";

/** `code` is empty where the person did not agree. */
type SentBack = { state: string; code: string };
export type Arrival = "handed on" | "unexpected" | "senseless";

/** The provider's answer in a query; null if no provider sends such a query. */
export function sentBackIn(search: string): SentBack | null {
  const words = new URLSearchParams(search);
  const [state, code] = [words.get("state") ?? "", words.get("code") ?? ""];
  return state !== "" && (code !== "" || words.has("error")) ? { state, code } : null;
}

/** The login's identifier in its address. */
export function stateOf(address: string): string {
  return new URL(address).searchParams.get("state") ?? "";
}

/** Waits for what a person is sent back with, and says to that window that it is heard. Ends with the signal alone. */
export function waitFor(state: string, signal: AbortSignal): Promise<SentBack> {
  const channel = new BroadcastChannel(CHANNEL);
  signal.addEventListener("abort", () => channel.close());
  return new Promise((settle) => {
    channel.onmessage = ({ data }: MessageEvent<{ state?: unknown; code?: unknown }>) => {
      if (data.state !== state || typeof data.code !== "string") return;
      channel.postMessage({ heard: state });
      channel.close();
      settle({ state, code: data.code });
    };
  });
}

/** In the window that is sent back: hands it on, where another one waits for it. */
export function handOn(search: string): Promise<Arrival> {
  const sentBack = sentBackIn(search);
  if (!sentBack) return Promise.resolve("senseless");
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((settle) => {
    const end = (arrival: Arrival) => {
      clearTimeout(patience);
      channel.close();
      settle(arrival);
    };
    const patience = setTimeout(() => end("unexpected"), PATIENCE_MS);
    channel.onmessage = ({ data }: MessageEvent<{ heard?: unknown }>) => {
      if (data.heard === sentBack.state) end("handed on");
    };
    channel.postMessage(sentBack);
  });
}
