import { Client } from "undici";
import {
  type ExchangeLimits,
  exchangeOnce,
  type GuardedRequest,
  type GuardedResult,
} from "./guarded-exchange.ts";
import { type ConnectionSlot, type ConnectorDeps, newTrace, pinnedConnector } from "./pinned-connector.ts";

/** One socket at a time to one origin. Only one caller at a time may call `exchange`. */
export type GuardedConnection = {
  exchange(request: GuardedRequest, path: string, totalMillis: number): Promise<GuardedResult>;
  /** False once it was given up; it is not used again. */
  isUsable(): boolean;
  destroy(): void;
};

/**
 * Opens nothing yet: the first exchange opens the socket, and a later one opens it again if it was closed.
 */
export function guardedConnection(
  deps: ConnectorDeps,
  limits: ExchangeLimits,
  origin: URL,
  onIdleClose: (connection: GuardedConnection) => void,
): GuardedConnection {
  const slot: ConnectionSlot = { trace: newTrace("send"), socket: null };
  const client = new Client(origin.origin, {
    connect: pinnedConnector(deps, origin, slot),
    allowH2: false,
    maxHeaderSize: limits.answerHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.keepAliveMillis,
    keepAliveMaxTimeout: limits.keepAliveMillis,
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
    async exchange(request, path, totalMillis) {
      busy = true;
      slot.trace = newTrace("send");
      const result = await exchangeOnce(client, slot, limits, request, path, totalMillis);
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
