import { judgeUrl } from "./address-guard.ts";
import { type GuardedConnection, guardedConnection } from "./guarded-connection.ts";
import type { ExchangeLimits, GuardedRequest, GuardedResult } from "./guarded-exchange.ts";
import type { ConnectorDeps } from "./pinned-connector.ts";

/** The limits of docs/delivery.md. */
export const DEFAULT_EXCHANGE_LIMITS: ExchangeLimits = {
  connectMillis: 5_000,
  totalMillis: 15_000,
  answerHeaderBytes: 16 * 1024,
  answerReadBytes: 16 * 1024,
  answerKeptBytes: 4 * 1024,
  keepAliveMillis: 10_000,
};

/**
 * The only way out of the process, for webhooks and tools. It never rejects: every end of an exchange is a
 * value. Redirects are answers like any other and are not followed.
 */
export type GuardedHttpClient = {
  send(request: GuardedRequest): Promise<GuardedResult>;
  /** Closes idle sockets and aborts exchanges in flight (which then answer `failed`). */
  close(): void;
};

export function guardedHttpClient(
  deps: ConnectorDeps,
  limits: ExchangeLimits = DEFAULT_EXCHANGE_LIMITS,
): GuardedHttpClient {
  const idle = new Map<string, GuardedConnection[]>();
  const all = new Set<GuardedConnection>();

  const open = (origin: URL): GuardedConnection => {
    const connection = guardedConnection(deps, limits, origin, (closed) => {
      forget(idle, origin.origin, closed);
      all.delete(closed);
      closed.destroy();
    });
    all.add(connection);
    return connection;
  };
  const giveBack = (origin: string, connection: GuardedConnection): void => {
    if (!connection.isUsable()) {
      all.delete(connection);
      return;
    }
    const list = idle.get(origin);
    if (list === undefined) idle.set(origin, [connection]);
    else list.push(connection);
  };
  const exchange = async (
    connection: GuardedConnection,
    url: URL,
    request: GuardedRequest,
    totalMillis: number,
  ) => {
    const result = await connection.exchange(request, `${url.pathname}${url.search}`, totalMillis);
    giveBack(url.origin, connection);
    return result;
  };

  return {
    async send(request) {
      const verdict = judgeUrl(deps.policy, request.url);
      if (!verdict.allowed) return blockedByUrl(verdict.reason);
      const { url } = verdict;
      const { totalMillis = limits.totalMillis } = request;
      const started = performance.now();
      const first = await exchange(idle.get(url.origin)?.pop() ?? open(url), url, request, totalMillis);
      if (!diedBeforeTheAnswer(first)) return first;
      return exchange(open(url), url, request, totalMillis - (performance.now() - started));
    },
    close() {
      for (const connection of all) connection.destroy();
      all.clear();
      idle.clear();
    },
  };
}

/**
 * The receiver closed a kept-alive socket while the request was on its way: not the delivery's fault, so it
 * is tried once more at once on a fresh socket. On a fresh socket the same is a failure.
 */
function diedBeforeTheAnswer(result: GuardedResult): boolean {
  return (
    result.kind === "failed" &&
    result.reused &&
    result.times.firstByte === null &&
    (result.phase === "send" || result.phase === "first_byte") &&
    ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(result.reason)
  );
}

function blockedByUrl(reason: string): GuardedResult {
  const times = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  return { kind: "blocked", reason, times, remoteAddress: null, reused: false };
}

function forget(idle: Map<string, GuardedConnection[]>, origin: string, connection: GuardedConnection): void {
  const rest = (idle.get(origin) ?? []).filter((candidate) => candidate !== connection);
  if (rest.length === 0) idle.delete(origin);
  else idle.set(origin, rest);
}
