import { useEffect, useSyncExternalStore } from "react";
import type { FeedEvent, FromFeed, LiveState, ToFeed } from "./feed-protocol.ts";

type Listener = (events: readonly FeedEvent[]) => void;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let live: LiveState = "connecting";
let liveSince = Number.POSITIVE_INFINITY;
let port: MessagePort | null = null;
let onSignedOut = (): void => undefined;

/**
 * Opens the stream that all tabs share; `signedOut` is called when the service says that nobody
 * is signed in any more.
 */
export function openFeed(signedOut: () => void): () => void {
  onSignedOut = signedOut;
  const worker = new SharedWorker(new URL("./feed-worker.ts", import.meta.url), {
    type: "module",
    name: "ringfold-feed",
  });
  port = worker.port;
  port.addEventListener("message", ({ data }: MessageEvent<FromFeed>) => receive(data));
  port.start();
  send("follow");
  const leave = () => send("leave");
  window.addEventListener("pagehide", leave);
  return () => {
    window.removeEventListener("pagehide", leave);
    send("stop");
    port?.close();
    port = null;
  };
}

function send(message: ToFeed): void {
  port?.postMessage(message);
}

function receive(message: FromFeed): void {
  if (message.kind === "events") for (const listener of listeners) listener(message.events);
  if (message.kind === "signed_out") onSignedOut();
  if (message.kind === "state" && message.live !== live) {
    live = message.live;
    liveSince = live === "live" ? Date.now() : Number.POSITIVE_INFINITY;
    for (const watcher of watchers) watcher();
  }
}

/** Passes events to `listener` as they arrive. `listener` must keep its identity (useCallback). */
export function useFeed(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => live,
  );
}

/** Since when (ms since 1970) this tab has received every event without a gap; infinite while it does not. */
export const heardSince = (): number => liveSince;
