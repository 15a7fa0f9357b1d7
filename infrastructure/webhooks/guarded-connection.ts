import type { IncomingHttpHeaders } from "node:http";
import { Client, type Dispatcher } from "undici";
import {
  type ConnectionSlot,
  type ConnectorDeps,
  type ConnectTrace,
  type ExchangePhase,
  pinnedConnector,
} from "./pinned-connector.ts";

/** Bounds of one exchange; milliseconds and bytes. */
export type ExchangeLimits = {
  /** Name, connection and TLS together. */
  readonly connectMs: number;
  /** From the start to the end of the answer. */
  readonly totalMs: number;
  readonly answerHeaderBytes: number;
  readonly answerReadBytes: number;
  readonly answerKeptBytes: number;
  readonly keepAliveMs: number;
};

export type GuardedRequest = {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
};

/** Milliseconds by phase; null when the phase did not happen (a kept-alive socket, no TLS, no answer). */
export type PhaseTimes = {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
};

type Seen = { readonly times: PhaseTimes; readonly remoteAddress: string | null; readonly reused: boolean };

export type GuardedResult =
  | (Seen & {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** The first kept bytes of the answer. */
      readonly body: Buffer;
      /** False when the answer was longer than what is read, or was cut off after its head. */
      readonly complete: boolean;
    })
  | (Seen & { readonly kind: "failed"; readonly phase: ExchangePhase; readonly reason: string })
  | (Seen & { readonly kind: "blocked"; readonly reason: string });

/** One socket at a time to one origin. `exchange` is called by one caller at a time. */
export type GuardedConnection = {
  exchange(request: GuardedRequest, path: string, totalMs: number): Promise<GuardedResult>;
  /** False once it was given up; it is then not used again. */
  isUsable(): boolean;
  destroy(): void;
};

/** Opens nothing yet: the socket is made by the first exchange, and again by a later one when it was closed meanwhile. */
export function guardedConnection(
  deps: ConnectorDeps,
  limits: ExchangeLimits,
  origin: URL,
  onIdleClose: (connection: GuardedConnection) => void,
): GuardedConnection {
  const slot: ConnectionSlot = { trace: newTrace(), socket: null };
  const client = new Client(origin.origin, {
    connect: pinnedConnector(deps, origin, slot),
    allowH2: false,
    maxHeaderSize: limits.answerHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
  });
  let usable = true;
  let busy = false;
  const connection: GuardedConnection = {
    isUsable: () => usable,
    destroy() {
      usable = false;
      slot.trace.over = true;
      slot.socket?.destroy();
      client.destroy().catch(() => undefined);
    },
    async exchange(request, path, totalMs) {
      busy = true;
      slot.trace = newTrace();
      const result = await exchangeOnce(client, slot, limits, request, path, totalMs);
      slot.trace.over = true;
      busy = false;
      if (result.kind !== "answered" || !result.complete) connection.destroy();
      return result;
    },
  };
  client.on("disconnect", () => {
    if (!busy) onIdleClose(connection);
  });
  return connection;
}

function newTrace(): ConnectTrace {
  return {
    phase: "send",
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    fresh: false,
    blocked: false,
    over: false,
  };
}

type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  kept: Buffer[];
  keptBytes: number;
  readBytes: number;
};

function exchangeOnce(
  client: Client,
  slot: ConnectionSlot,
  limits: ExchangeLimits,
  request: GuardedRequest,
  path: string,
  totalMs: number,
): Promise<GuardedResult> {
  const { trace } = slot;
  const started = performance.now();
  let firstByte: number | null = null;
  let answer: Answer | null = null;
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    const seen = (): Seen => ({
      times: {
        dns: trace.dnsMs,
        connect: trace.connectMs,
        tls: trace.tlsMs,
        firstByte,
        total: performance.now() - started,
      },
      remoteAddress: slot.socket?.remoteAddress ?? null,
      reused: !trace.fresh,
    });
    const settle = (result: GuardedResult): void => {
      for (const timer of timers) clearTimeout(timer);
      resolve(result);
    };
    const fail = (reason: string): void => {
      if (answer !== null) settle({ ...seen(), ...answered(answer), complete: false });
      else if (trace.blocked) settle({ ...seen(), kind: "blocked", reason });
      else settle({ ...seen(), kind: "failed", phase: trace.phase, reason });
    };
    const isConnecting = (): boolean =>
      trace.phase === "dns" || trace.phase === "connect" || trace.phase === "tls";
    timers.push(setTimeout(() => fail("total_timeout"), totalMs));
    if (slot.socket === null || slot.socket.destroyed) {
      timers.push(setTimeout(() => isConnecting() && fail("connect_timeout"), limits.connectMs));
    }
    const handler: Dispatcher.DispatchHandler = {
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
        if (answer !== null && !keep(answer, chunk, limits)) {
          settle({ ...seen(), ...answered(answer), complete: false });
        }
      },
      onResponseEnd: () => {
        if (answer !== null) settle({ ...seen(), ...answered(answer), complete: true });
      },
      onResponseError: (_controller, error) => fail(reasonOf(error)),
    };
    client.dispatch({ path, method: request.method, headers: request.headers, body: request.body }, handler);
  });
}

function answered(answer: Answer) {
  return {
    kind: "answered" as const,
    status: answer.status,
    headers: answer.headers,
    body: Buffer.concat(answer.kept),
  };
}

/** False when the bound of what is read is reached. */
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

/** A short stable word: the code of the system, of TLS or of undici, never a text that could hold the URL. */
function reasonOf(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string" && code !== "") return code;
  return error.name;
}
