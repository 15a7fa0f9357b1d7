/// <reference lib="webworker" />
import { ApiFailure, askBytes } from "../api/request.ts";
import type { FeedEvent, FromFeed, ToFeed } from "./feed-protocol.ts";

/*
 * One event stream for all tabs of the browser, because HTTP/1.1 allows six connections to a
 * host. It continues from the last position after every break; an EventSource would not reconnect
 * after a refused answer.
 */
declare const self: SharedWorkerGlobalScope;

const ports = new Set<MessagePort>();
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
const LOOK_EVERY = 2_000;
/**
 * Events within this time are sent together: each message wakes every tab, and a page paints no more often.
 */
const TELL_AFTER = 250;
let heard: FeedEvent[] = [];
let telling: ReturnType<typeof setTimeout> | null = null;
let position = "now";
let state: FromFeed & { readonly kind: "state" } = { kind: "state", live: "connecting" };
let following: AbortController | null = null;

self.addEventListener("connect", ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  port.addEventListener("message", ({ data }: MessageEvent<ToFeed>) => {
    if (data === "leave") ports.delete(port);
    if (data === "stop" || ports.size === 0) stop();
    if (data === "follow" && following === null) void follow();
  });
  port.start();
  port.postMessage(state);
});

function tell(message: FromFeed): void {
  if (message.kind === "state") state = message;
  for (const port of ports) port.postMessage(message);
}

function hear(events: readonly FeedEvent[]): void {
  if (events.length === 0) return;
  heard.push(...events);
  telling ??= setTimeout(tellHeard, TELL_AFTER);
}

function tellHeard(): void {
  if (telling !== null) clearTimeout(telling);
  telling = null;
  const events = heard;
  heard = [];
  if (events.length > 0) tell({ kind: "events", events });
}

function stop(): void {
  heard = [];
  following?.abort();
  following = null;
  position = "now";
}

async function follow(): Promise<void> {
  const own = new AbortController();
  following = own;
  for (let pause = FIRST_PAUSE; !own.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    tell({ kind: "state", live: "connecting" });
    const answer = await ask(own.signal);
    if (answer?.status === 401 || (answer?.status === 403 && (await isSignedOut(own.signal)))) {
      tell({ kind: "signed_out" });
      if (following === own) stop();
      return;
    }
    if (answer instanceof Response && answer.body !== null) {
      pause = FIRST_PAUSE;
      tell({ kind: "state", live: "live" });
      await read(answer.body, own.signal).catch(() => undefined);
    }
    if (own.signal.aborted) return;
    tellHeard();
    tell({ kind: "state", live: "offline" });
    const wait = answer?.status === 403 ? LOOK_EVERY : pause;
    await pauseFor(wait);
  }
}

/** A key without the right to follow events learns of its end only by a request. */
async function isSignedOut(signal: AbortSignal): Promise<boolean> {
  const answer = await askBytes("GET", "/api/v1/session", { signal }).catch(refused);
  return answer?.status === 401;
}

const refused = (error: unknown): ApiFailure | null => (error instanceof ApiFailure ? error : null);

const ask = (signal: AbortSignal): Promise<Response | ApiFailure | null> =>
  askBytes("GET", "/api/v1/events", {
    query: { after: position },
    headers: { Accept: "text/event-stream" },
    signal,
  }).catch(refused);

async function read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  let left = "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  while (!signal.aborted) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (left + decoder.decode(value, { stream: true })).split("\n\n");
    left = blocks.pop() ?? "";
    // Read without a pause: with one, it would fall behind a service that sends more pieces
    // than there are pauses.
    hear(blocks.flatMap((block) => eventOf(block)));
  }
}

const pauseFor = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

function eventOf(block: string): FeedEvent[] {
  const fields = new Map(
    block
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  position = fields.get("id") ?? position;
  const data = fields.get("data");
  if (data === undefined || fields.get("event") === "closing") return [];
  try {
    return [JSON.parse(data) as FeedEvent];
  } catch {
    return [];
  }
}
