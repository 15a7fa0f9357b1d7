import net from "node:net";
import tls from "node:tls";
import type { buildConnector } from "undici";
import {
  type AddressPolicy,
  judgeAddress,
  judgeAnswers,
  literalAddress,
  type ResolveName,
} from "./address-guard.ts";
import { passOverContinue } from "./interim-answers.ts";

/** The phase of an exchange, or the phase in which it failed. */
export type ExchangePhase = "dns" | "connect" | "tls" | "send" | "first_byte" | "body";

/** What one exchange recorded of its connection; times stay null for a kept-alive socket. Milliseconds. */
export type ConnectTrace = {
  phase: ExchangePhase;
  dnsMillis: number | null;
  connectMillis: number | null;
  tlsMillis: number | null;
  /** A new socket was opened for this exchange. */
  fresh: boolean;
  /** A resolved or reached address is not allowed: nothing was sent. */
  blocked: boolean;
  /** The exchange is over: a connect in progress must not open a socket any more. */
  over: boolean;
};

/** Of an exchange that begins. */
export function newTrace(phase: ExchangePhase): ConnectTrace {
  const times = { dnsMillis: null, connectMillis: null, tlsMillis: null };
  return { phase, ...times, fresh: false, blocked: false, over: false };
}

export type ConnectorDeps = {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  /** Additional certificate authorities (PEM); undefined: those of Node. */
  readonly ca: string | undefined;
};

/** The trace and the socket of a connection, shared between its connector and its exchanges. */
export type ConnectionSlot = { trace: ConnectTrace; socket: net.Socket | null };

/** The name, or its address, is outside of the policy; a repeat would fail as well. */
export class AddressNotAllowed extends Error {
  override readonly name = "AddressNotAllowed";
}

/**
 * undici's connect hook for one origin. Resolves once, refuses when any address is not allowed, and connects
 * to checked addresses only, with the original name in Host and SNI. A literal is checked directly, because
 * `lookup` is never called for one.
 */
export function pinnedConnector(
  deps: ConnectorDeps,
  origin: URL,
  slot: ConnectionSlot,
): buildConnector.connector {
  return (_options, callback) => {
    const { trace } = slot;
    trace.fresh = true;
    open(deps, origin, slot, trace).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function open(
  deps: ConnectorDeps,
  origin: URL,
  slot: ConnectionSlot,
  trace: ConnectTrace,
): Promise<net.Socket> {
  const addresses = await checkedAddresses(deps, origin, trace);
  if (trace.over) throw new Error("the exchange is over");
  const socket = await connectTo(deps, origin, addresses, slot, trace);
  if (socket.remoteAddress === undefined || judgeAddress(deps.policy, socket.remoteAddress) === "refused") {
    socket.destroy();
    trace.blocked = true;
    throw new AddressNotAllowed("connected to an address that is not allowed");
  }
  passOverContinue(socket);
  trace.phase = "send";
  return socket;
}

async function checkedAddresses(
  deps: ConnectorDeps,
  origin: URL,
  trace: ConnectTrace,
): Promise<readonly string[]> {
  trace.phase = "dns";
  const literal = literalAddress(origin);
  const started = performance.now();
  const addresses = literal === null ? await deps.resolve(origin.hostname) : [literal];
  if (literal === null) trace.dnsMillis = performance.now() - started;
  if (addresses.length === 0) throw new Error("the name has no address");
  if (!judgeAnswers(deps.policy, origin.protocol, addresses)) {
    trace.blocked = true;
    throw new AddressNotAllowed("the name has an address that is not allowed");
  }
  return addresses;
}

function connectTo(
  deps: ConnectorDeps,
  origin: URL,
  addresses: readonly string[],
  slot: ConnectionSlot,
  trace: ConnectTrace,
): Promise<net.Socket> {
  trace.phase = "connect";
  const secure = origin.protocol === "https:";
  const literal = literalAddress(origin);
  const pinned = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const options = {
    host: literal ?? origin.hostname,
    port: origin.port === "" ? (secure ? 443 : 80) : Number(origin.port),
    lookup: pinnedLookup(pinned),
    autoSelectFamily: true,
    noDelay: true,
  };
  const started = performance.now();
  const socket = secure
    ? tls.connect({ ...options, ...tlsOptions(deps, literal ?? origin.hostname) })
    : net.connect(options);
  slot.socket = socket;
  return new Promise((resolve, reject) => {
    socket.once("connect", () => {
      trace.connectMillis = performance.now() - started;
      if (secure) trace.phase = "tls";
    });
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("closed before it was connected")));
    socket.once(secure ? "secureConnect" : "connect", () => {
      if (secure) trace.tlsMillis = performance.now() - started - (trace.connectMillis ?? 0);
      resolve(socket);
    });
  });
}

function tlsOptions(deps: ConnectorDeps, host: string): tls.ConnectionOptions {
  return {
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(deps.ca === undefined ? {} : { ca: [...tls.rootCertificates, deps.ca] }),
  };
}

/** Returns the checked addresses without another resolution. */
export function pinnedLookup(pinned: readonly { address: string; family: number }[]): net.LookupFunction {
  return (_hostname, options, callback) => {
    const first = pinned[0];
    if (options.all === true) callback(null, [...pinned]);
    else if (first === undefined) callback(new Error("no address"), "", 0);
    else callback(null, first.address, first.family);
  };
}
