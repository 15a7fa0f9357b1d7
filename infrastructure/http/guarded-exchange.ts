import type { IncomingHttpHeaders } from "node:http";
import type { Client, Dispatcher } from "undici";
import type { PhaseTimes } from "../../application/ports/webhook-sender.ts";
import type { ConnectionSlot, ConnectTrace, ExchangePhase } from "./pinned-connector.ts";

/** Limits of one exchange, in milliseconds and bytes. */
export type ExchangeLimits = {
  /** Name resolution, connection and TLS together. */
  readonly connectMillis: number;
  /** From the start to the end of the answer. */
  readonly totalMillis: number;
  readonly answerHeaderBytes: number;
  readonly answerReadBytes: number;
  readonly answerKeptBytes: number;
  readonly keepAliveMillis: number;
};

export type GuardedRequest = {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** From the start to the end of the answer, in milliseconds; absent: as the limits say. */
  readonly totalMillis?: number;
};

type Seen = { readonly times: PhaseTimes; readonly remoteAddress: string | null; readonly reused: boolean };

export type GuardedResult =
  | (Seen & {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** The first kept bytes of the answer. */
      readonly body: Buffer;
      /** False when the answer was longer than the limit, or was cut off after its head. */
      readonly complete: boolean;
    })
  | (Seen & { readonly kind: "failed"; readonly phase: ExchangePhase; readonly reason: string })
  | (Seen & { readonly kind: "blocked"; readonly reason: string });

type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  kept: Buffer[];
  keptBytes: number;
  readBytes: number;
};

/**
 * One request on a connection whose connector writes to the slot. Ends with the answer, a failure, or a
 * limit; later events change nothing. It never rejects.
 */
export function exchangeOnce(
  client: Client,
  slot: ConnectionSlot,
  limits: ExchangeLimits,
  request: GuardedRequest,
  path: string,
  totalMillis: number,
): Promise<GuardedResult> {
  const options = { path, method: request.method, headers: request.headers, body: request.body };
  return new Promise((resolve) => {
    const exchange = openExchange(slot, limits, resolve);
    exchange.limit(totalMillis);
    client.dispatch(options, exchange.handler);
  });
}

type OpenExchange = { readonly handler: Dispatcher.DispatchHandler; limit(totalMillis: number): void };

function openExchange(
  slot: ConnectionSlot,
  limits: ExchangeLimits,
  resolve: (result: GuardedResult) => void,
): OpenExchange {
  const { trace } = slot;
  const started = performance.now();
  const timers: NodeJS.Timeout[] = [];
  let firstByte: number | null = null;
  let answer: Answer | null = null;

  const seen = (): Seen => {
    const { dnsMillis: dns, connectMillis: connect, tlsMillis: tls } = trace;
    const times = { dns, connect, tls, firstByte, total: performance.now() - started };
    return { times, remoteAddress: slot.socket?.remoteAddress ?? null, reused: !trace.fresh };
  };
  const settle = (result: GuardedResult): void => {
    for (const timer of timers) clearTimeout(timer);
    resolve(result);
  };
  const finish = (complete: boolean): void => {
    if (answer !== null) settle({ ...seen(), ...answered(answer), complete });
  };
  const fail = (reason: string): void => {
    if (answer !== null) finish(false);
    else if (trace.blocked) settle({ ...seen(), kind: "blocked", reason });
    else settle({ ...seen(), kind: "failed", phase: trace.phase, reason });
  };
  return {
    limit(totalMillis) {
      timers.push(setTimeout(() => fail("total_timeout"), totalMillis));
      if (slot.socket?.destroyed === false) return;
      timers.push(setTimeout(() => isConnecting(trace) && fail("connect_timeout"), limits.connectMillis));
    },
    handler: {
      onRequestStart: () => undefined,
      onRequestSent: () => {
        trace.phase = "first_byte";
      },
      onResponseStarted: () => {
        firstByte = performance.now() - started;
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return;
        trace.phase = "body";
        answer = { status, headers, kept: [], keptBytes: 0, readBytes: 0 };
      },
      onResponseData: (_controller, chunk) => {
        if (answer !== null && !keep(answer, chunk, limits)) finish(false);
      },
      onResponseEnd: () => finish(true),
      onResponseError: (_controller, error) => fail(reasonOf(error)),
    },
  };
}

function isConnecting({ phase }: ConnectTrace): boolean {
  return phase === "dns" || phase === "connect" || phase === "tls";
}

function answered(answer: Answer) {
  return {
    kind: "answered" as const,
    status: answer.status,
    headers: answer.headers,
    body: Buffer.concat(answer.kept),
  };
}

/** False when the size limit is reached. */
function keep(answer: Answer, chunk: Buffer, limits: ExchangeLimits): boolean {
  const room = limits.answerKeptBytes - answer.keptBytes;
  if (room > 0) {
    const part = Buffer.from(chunk.subarray(0, room));
    answer.kept.push(part);
    answer.keptBytes += part.length;
  }
  answer.readBytes += chunk.length;
  return answer.readBytes <= limits.answerReadBytes;
}

/** A short stable code of the system, of TLS or of undici, never a text that could contain the URL. */
function reasonOf(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string" && code !== "") return code;
  return error.name;
}
