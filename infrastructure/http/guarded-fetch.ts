import { Agent, type buildConnector, type Dispatcher, request as send } from "undici";
import { type ConnectionSlot, type ConnectorDeps, newTrace, pinnedConnector } from "./pinned-connector.ts";

/** Milliseconds and bytes. */
export type FetchLimits = {
  /** Name resolution, connection and TLS together. */
  readonly connectMillis: number;
  readonly answerHeaderBytes: number;
  /** Reading stops when the answer is longer. */
  readonly answerBytes: number;
  readonly keepAliveMillis: number;
};

export type FetchRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Ends the request and its answer at any time; nothing else limits the time of an answer. */
  readonly signal: AbortSignal;
};

/** For streamed answers. Redirects are answers like any other and are not followed; nothing is repeated. */
export type GuardedFetch = {
  fetch(url: string, request: FetchRequest): Promise<Response>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
};

export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/** Every connection is made by the pinned connector: each name is checked at each connect. */
export function guardedAgent(deps: ConnectorDeps, limits: Omit<FetchLimits, "answerBytes">): Agent {
  return new Agent({
    connect: limitedConnector(deps, limits.connectMillis),
    allowH2: false,
    maxHeaderSize: limits.answerHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.keepAliveMillis,
    keepAliveMaxTimeout: limits.keepAliveMillis,
  });
}

export function guardedFetch(deps: ConnectorDeps, limits: FetchLimits): GuardedFetch {
  const agent = guardedAgent(deps, limits);
  return {
    async fetch(url, { method, headers, body, signal }) {
      const answer = await send(url, { dispatcher: agent, method, headers: { ...headers }, body, signal });
      // The reader gets the error from the reading; without a listener a later failure would end the process.
      answer.body.on("error", () => undefined);
      return new Response(streamOf(answer.body, limits.answerBytes), {
        status: inRange(answer.statusCode),
        headers: singleValues(answer.headers),
      });
    },
    close: () => agent.destroy(),
  };
}

function limitedConnector(deps: ConnectorDeps, connectMillis: number): buildConnector.connector {
  return (options, callback) => {
    const origin = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const slot: ConnectionSlot = { trace: newTrace("dns"), socket: null };
    const late = setTimeout(() => {
      slot.trace.over = true;
      slot.socket?.destroy();
      callback(new Error("connecting took too long"), null);
    }, connectMillis);
    const connect = pinnedConnector(deps, origin, slot);
    connect(options, (...result) => {
      if (slot.trace.over) return;
      clearTimeout(late);
      callback(...result);
    });
  };
}

/** An answer outside of 200..599 has no usable body, and a Response with such a status cannot be made. */
function inRange(status: number): number {
  return status >= 200 && status <= 599 && ![204, 205, 304].includes(status) ? status : 502;
}

type Body = Dispatcher.ResponseData["body"];

/**
 * A short rest of an answer that the reader leaves is read to its end, so that the
 * connection can be used again.
 */
const LEFTOVER_BYTES = 16 * 1024;
const LEFTOVER_MILLIS = 1_000;

function streamOf(body: Body, maxBytes: number): ReadableStream<Uint8Array> {
  return ReadableStream.from(bounded(body, maxBytes));
}

async function* bounded(body: Body, maxBytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      read += chunk.length;
      if (read > maxBytes) {
        body.destroy();
        throw new AnswerTooLong(`the answer is longer than ${maxBytes} bytes`);
      }
      yield chunk;
    }
  } finally {
    if (!body.readableEnded && !body.destroyed)
      body
        .dump({ limit: LEFTOVER_BYTES, signal: AbortSignal.timeout(LEFTOVER_MILLIS) })
        .catch(() => undefined);
  }
}

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
}
