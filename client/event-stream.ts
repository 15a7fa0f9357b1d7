import type { Client, OwnerEvent } from "./api.ts";
import { ConnectionError } from "./errors.ts";
import { backoff, pause, retryDelay } from "./retries.ts";
import { eventParser, type ServerSentEvent } from "./server-sent-events.ts";

type Query = Omit<
  NonNullable<Parameters<Client["history"]["listEvents"]>[0]>,
  "limit" | "cursor" | "before" | "order"
>;

export type FollowOptions = Query & {
  /** Ends the stream: its loop ends without an error. */
  readonly signal?: AbortSignal;
  /**
   * The service sends something at least every 15 s; a connection that is silent for longer than this (45,000
   * ms unless set) is closed.
   */
  readonly silenceMs?: number;
};

const REQUEST = { method: "GET", path: "/api/v1/events" };
/** Says why the service ends the connection. The next connection shows whether the key is still valid. */
const CLOSING = "closing";

/**
 * Every event of the owner after the position `after` (none: from the beginning), then live, each exactly
 * once and in order. A lost connection is opened again, as often as needed, and continues after the last
 * event. It rejects where that does not help: the first connection fails (after the client's retries), or the
 * service refuses, for example because the key was revoked (RingfoldError, UNAUTHORIZED).
 */
export async function* followEvents(
  client: Client,
  options: FollowOptions = {},
): AsyncGenerator<OwnerEvent, void> {
  const place: Place = { lastId: null, wasOpen: false, failures: 0 };
  const isOver = () => options.signal?.aborted === true;
  while (!isOver()) {
    let delay = 0;
    try {
      yield* untilItEnds(client, options, place);
      delay = backoff(place.failures);
    } catch (error) {
      if (isOver()) return;
      const wanted = place.wasOpen ? retryDelay(error, true, place.failures) : null;
      if (wanted === null) throw error;
      delay = wanted;
    }
    place.failures += 1;
    await pause(delay, options.signal).catch(() => undefined);
  }
}

type Place = {
  lastId: string | null;
  wasOpen: boolean;
  /** Connections in a row without an event. */
  failures: number;
};

/** One connection; `place` says where the next one continues. */
async function* untilItEnds(
  { history }: Client,
  { signal, silenceMs = 45_000, ...query }: FollowOptions,
  place: Place,
): AsyncGenerator<OwnerEvent, void> {
  const resume = place.lastId === null ? {} : { "Last-Event-ID": place.lastId };
  const headers = { Accept: "text/event-stream", ...resume };
  const ends = signal === undefined ? {} : { signal };
  const { data: stream } = await history.listEvents(query, { headers, ...ends });
  if (!isStream(stream)) throw new ConnectionError(REQUEST, new Error("the answer is no stream of events"));
  place.wasOpen = true;
  for await (const { id, event, data } of eventsOf(stream, silenceMs)) {
    place.lastId = id ?? place.lastId;
    if (data === null || event === CLOSING) continue;
    place.failures = 0;
    yield parseEvent(data);
  }
}

/** Recognised by its shape, because the caller's own `fetch` may have its own classes. */
function isStream(data: unknown): data is ReadableStream<Uint8Array> {
  return typeof data === "object" && data !== null && "getReader" in data;
}

function parseEvent(text: string): OwnerEvent {
  return JSON.parse(text);
}

/** Leaving the loop closes the connection. */
async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerSentEvent, void> {
  const reader = stream.getReader();
  const parser = eventParser();
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read()).catch((cause: unknown) => {
        throw new ConnectionError(REQUEST, cause);
      });
      if (done) return;
      yield* parser.push(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<Value>(millis: number, value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${millis} ms`)), millis);
  });
  try {
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
}
