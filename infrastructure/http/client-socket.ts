import { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { type ConnectionSlot, type ConnectorDeps, newTrace, pinnedConnector } from "./pinned-connector.ts";

/** No message of a far side is larger. */
const MOST_BYTES = 1024 * 1024;

/** Node wants one beside an error, and does nothing with it. */
const NOT_CONNECTED = new Duplex();

export type ClientSocketOptions = {
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for the connection and its upgrade. */
  readonly openMillis: number;
  /** A larger message closes the socket (1009) before it is read; 1 MiB at the most, which is the default. */
  readonly mostBytes?: number;
  /** Judges every address at the connect. null: the address is the operator's own. */
  readonly guard: ConnectorDeps | null;
};

/**
 * The only place that opens a WebSocket to a far side. It offers no compression, so a small frame
 * never becomes a large one, and a compressed frame closes the socket. Its errors end in `close`.
 */
export function openClientSocket(address: string, options: ClientSocketOptions): WebSocket {
  const { protocols = [], headers = {}, openMillis, mostBytes = MOST_BYTES, guard } = options;
  const slot: ConnectionSlot = { trace: newTrace("dns"), socket: null };
  const socket = new WebSocket(address, [...protocols], {
    headers: { ...headers },
    handshakeTimeout: openMillis,
    maxPayload: Math.min(mostBytes, MOST_BYTES),
    perMessageDeflate: false,
    ...(guard === null ? {} : { createConnection: guardedConnection(guard, address, slot) }),
  });
  socket.on("error", () => undefined);
  socket.once("close", () => {
    slot.trace.over = true;
    slot.socket?.destroy();
  });
  // The handshake's own limit counts from the connection on: a name server may say nothing.
  const late = setTimeout(() => socket.terminate(), openMillis);
  for (const end of ["open", "close"] as const) socket.once(end, () => clearTimeout(late));
  return socket;
}

function guardedConnection(guard: ConnectorDeps, address: string, slot: ConnectionSlot) {
  const origin = new URL(address.replace(/^ws/, "http"));
  const { hostname, protocol, port } = origin;
  const connect = pinnedConnector(guard, origin, slot);
  return (_options: unknown, created: (error: Error | null, socket: Duplex) => void) => {
    connect({ hostname, protocol, port }, (...[error, socket]) => {
      if (socket !== null) created(null, socket);
      else created(error, NOT_CONNECTED);
    });
    return undefined;
  };
}
