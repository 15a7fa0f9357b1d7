import type { Dispatcher } from "undici";
import type { WebSocket } from "ws";
import type { Clock } from "../../../../application/ports/clock.ts";
import { openClientSocket } from "../../../http/client-socket.ts";
import { guardedAgent } from "../../../http/guarded-fetch.ts";
import { AddressNotAllowed, type ConnectorDeps } from "../../../http/pinned-connector.ts";

const GIVE_UP_MILLIS = 10_000;
const SOCKET_MILLIS = 5_000;
const LIMITS = {
  connectMillis: 3_000,
  answerHeaderBytes: 16 * 1024,
  // Asterisk closes an idle connection after 15 s; using one that it has just closed would make the
  // outcome of a dial unknown.
  keepAliveMillis: 5_000,
};
/** Each channel takes about 600 bytes in the list of a busy machine. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
/** Errors that occur before a byte of the request is sent. */
const NOTHING_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export type AriRequest = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below /ari, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Monotonic clock: nothing is sent later. */
  readonly sendBy?: number;
  readonly giveUpMillis?: number;
};

export type AriAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: unknown }
  /** `sent`: Asterisk may have executed it. `late`: `sendBy` had passed. */
  | { readonly kind: "failed"; readonly cause: string; readonly sent: boolean; readonly late: boolean };

export type AriStream =
  | { readonly kind: "answered"; readonly status: number; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly kind: "failed"; readonly cause: string };

/**
 * The REST interface of one Asterisk and its WebSockets. Failures of Asterisk are values;
 * nothing throws for them.
 */
export interface AriClient {
  request(request: AriRequest): Promise<AriAnswer>;
  /** A streamed answer; a caller that does not read to its end cancels it. */
  stream(path: string): Promise<AriStream>;
  /** `path` from the root of the server: `/ari/events?…`. */
  socket(path: string): WebSocket;
  close(): Promise<void>;
}

export type AriClientOptions = {
  /** `http://host:8088`, with the prefix of http.conf if there is one. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly guard: ConnectorDeps;
  readonly clock: Pick<Clock, "monotonicMillis">;
};

class TooLate extends Error {
  override readonly name = "TooLate";
}

export function createAriClient({ url, user, password, guard, clock }: AriClientOptions): AriClient {
  const agent = guardedAgent(guard, LIMITS);
  const root = url.replace(/\/+$/, "");
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const send = (
    { method, path, query = {}, body, sendBy }: AriRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> => {
    const target = new URL(`${root}/ari${path}`);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const text = body === undefined ? (method === "POST" ? "{}" : null) : JSON.stringify(body);
    const headers = { authorization, ...(text === null ? {} : { "content-type": "application/json" }) };
    // Checked last of all: a request on a connection that took too long to open is never sent.
    const sent = text === null || sendBy === undefined ? text : bodyUntil(clock, sendBy, text);
    const options = { path: target.pathname + target.search, method, headers, body: sent, signal };
    return agent.request({ origin: target.origin, ...options } as Dispatcher.RequestOptions);
  };
  return {
    async request(request) {
      const signal = AbortSignal.timeout(request.giveUpMillis ?? GIVE_UP_MILLIS);
      try {
        const answer = await send(request, signal);
        return { kind: "answered", status: answer.statusCode, body: await parsedBody(answer.body) };
      } catch (error) {
        return failureOf(error, signal.aborted);
      }
    },
    async stream(path) {
      const breaking = new AbortController();
      const timer = setTimeout(() => breaking.abort(), GIVE_UP_MILLIS);
      try {
        const answer = await send({ method: "GET", path }, breaking.signal);
        return { kind: "answered", status: answer.statusCode, bytes: answer.body };
      } catch (error) {
        return { kind: "failed", cause: failureOf(error, breaking.signal.aborted).cause };
      } finally {
        clearTimeout(timer);
      }
    },
    socket: (path) => {
      const address = `${root.replace(/^http/, "ws")}${path}`;
      return openClientSocket(address, { headers: { authorization }, openMillis: SOCKET_MILLIS, guard });
    },
    close: () => agent.destroy(),
  };
}

async function* bodyUntil(
  clock: Pick<Clock, "monotonicMillis">,
  sendBy: number,
  text: string,
): AsyncGenerator<string> {
  if (clock.monotonicMillis() > sendBy) throw new TooLate("too late to send");
  yield text;
}

async function parsedBody(body: Dispatcher.ResponseData["body"]): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MOST_ANSWER_BYTES) throw new Error("the answer is too long");
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString("utf8");
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failureOf(error: unknown, isTimeout: boolean): Extract<AriAnswer, { kind: "failed" }> {
  if (error instanceof TooLate) return { kind: "failed", cause: "too_late", sent: false, late: true };
  if (error instanceof AddressNotAllowed)
    return { kind: "failed", cause: "address_not_allowed", sent: false, late: false };
  const cause = isTimeout ? "timeout" : codeOf(error);
  return { kind: "failed", cause, sent: !NOTHING_SENT.has(cause), late: false };
}

/** A short stable code, never a text that could contain an address or a password. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
