import { GateClosedError } from "../../application/restore/gate-closed.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { CarrierSilentError, type Restored, type RestoreGuard } from "../ports/restore-guard.ts";

/** Whether this process may dial. Opens once, or never. */
export type DialGate = {
  /** Resolves when the gate opens; never if it stays closed. */
  readonly opened: Promise<void>;
  /** Resolves when it is decided whether it opens. */
  readonly decided: Promise<void>;
  /** Resolves after the first check, whatever its result. */
  readonly asked: Promise<void>;
  readonly state: () => "asking" | "open" | "shut";
  /** Which store or carrier has not answered yet, or what is still read from the log. */
  readonly waitsFor: () =>
    | "event log"
    | "carrier"
    | "dials"
    | "opt-outs"
    | "policies"
    | "suppression-lists"
    | null;
  /**
   * Connections that may not be used although the gate is open: their carrier has not answered, or had calls
   * that the log does not know.
   */
  readonly closed: () => readonly string[];
  /** Why it is closed, or one of the connections is. */
  readonly restored: () => Restored | null;
  /** What a refused command is told: why the gate is not open, and what to do; null: it is open. */
  readonly whyClosed: () => string | null;
  /** Throws GateClosedError while it is not open: nothing that may lead to a dial is decided before. */
  readonly requireOpen: () => void;
};

export type DialGateDeps = {
  /** Whether the stores were restored; rejects when that cannot be determined now. */
  readonly look: RestoreGuard["look"];
  readonly lookAgain: RestoreGuard["lookAgain"];
  /** Prepares restored stores to go on. Repeated when it rejects. */
  readonly accept: (restored: Restored) => Promise<void>;
  /** The value given by the operator. */
  readonly acceptRestored: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

const LONGEST_PAUSE_MILLIS = 10_000;

/** Log and database are one, and so is the carrier's journal: a restore cannot be detected. */
export const openGate: DialGate = {
  opened: Promise.resolve(),
  decided: Promise.resolve(),
  asked: Promise.resolve(),
  state: () => "open",
  waitsFor: () => null,
  closed: () => [],
  restored: () => null,
  whyClosed: () => null,
  requireOpen: () => undefined,
};

/**
 * Closed when the stores were restored to an older state or replaced, because people would be dialled again.
 * It then opens only at a start that names the state (`ACCEPT_RESTORED`). While log or carrier do not answer,
 * the state is unknown: it stays closed and asks again.
 */
export function createDialGate(deps: DialGateDeps): DialGate {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const seen: Seen = { state: "asking", waitsFor: null, restored: null, closed: [] };
  const { promise: asked, resolve: askedOnce } = Promise.withResolvers<void>();
  const decided = ask(deps, seen, askedOnce).then(() => {
    askedOnce();
    if (seen.state !== "open") return;
    open();
    void askSilent(deps, seen);
  });
  const whyClosed = () => closedBecause(seen);
  return {
    opened,
    decided,
    asked,
    state: () => seen.state,
    waitsFor: () => seen.waitsFor,
    closed: () => seen.closed,
    restored: () => seen.restored,
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
  };
}

/** Throws GateClosedError with the reason, if there is one. */
export function requireNoReason(reason: string | null): void {
  if (reason !== null) throw new GateClosedError(reason);
}

function closedBecause({ state, waitsFor, restored }: Seen): string | null {
  if (state === "open") return null;
  if (restored !== null)
    return `The stores were restored, and nobody has accepted it: nobody is dialled until a start with ACCEPT_RESTORED=${restored.value}. GET /health/ready says what was found`;
  const silent = waitsFor === "carrier" ? "The carrier" : "The event log";
  return `${silent} has not answered since the start: nobody is dialled until it does. GET /health/ready says how it stands; nothing is lost, try again`;
}

type Seen = {
  state: ReturnType<DialGate["state"]>;
  waitsFor: "event log" | "carrier" | null;
  restored: Restored | null;
  closed: readonly string[];
};

/** Ends with the first answer, or when the process stops. */
async function ask(deps: DialGateDeps, seen: Seen, askedOnce: () => void): Promise<void> {
  const { look, clock, logger, stop } = deps;
  for (let pause = 500; !stop.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
    try {
      const { restored, silent } = await look();
      seen.restored = await unaccepted(deps, restored);
      seen.waitsFor = null;
      seen.closed = silent;
      seen.state = seen.restored === null ? "open" : "shut";
      return;
    } catch (error) {
      seen.waitsFor = error instanceof CarrierSilentError ? "carrier" : "event log";
      logger.error({ problem: String(error) }, PROBLEMS[seen.waitsFor]);
      askedOnce();
      await clock.sleep(pause, stop);
    }
  }
}

/**
 * Carriers without an answer open their connections when they answer, each independently. Ends when all have
 * answered, or the process stops.
 */
async function askSilent(deps: DialGateDeps, seen: Seen): Promise<void> {
  const { clock, logger, stop } = deps;
  const asked = seen.closed.map(async (key) => {
    for (let pause = 500; !stop.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
      await clock.sleep(pause, stop);
      if (stop.aborted) return;
      try {
        const { restored, silent } = await deps.lookAgain([key]);
        if (silent.length > 0) continue;
        const found = await unaccepted(deps, restored);
        seen.restored ??= found;
        if (found === null) seen.closed = seen.closed.filter((each) => each !== key);
        return;
      } catch (error) {
        logger.error({ connection: key, problem: String(error) }, PROBLEMS.carrier);
      }
    }
  });
  if (asked.length > 0) logger.error({ connections: seen.closed }, PROBLEMS.connections);
  await Promise.all(asked);
}

/** What an operator still has to accept; accepted stores are prepared to go on. */
async function unaccepted(
  { accept, acceptRestored, logger }: DialGateDeps,
  restored: Restored | null,
): Promise<Restored | null> {
  if (restored === null) return null;
  if (restored.value === acceptRestored) {
    await accept(restored);
    return null;
  }
  logger.error({ ...restored.detail }, restored.line);
  return restored;
}

const PROBLEMS = {
  connections:
    "their carriers do not say which calls they had; nobody is dialled through these until they do",
  "event log": "the event log cannot be read; nobody is dialled until it can",
  carrier: "the carrier does not say which calls it had; nobody is dialled until it does",
};

/**
 * Dials nobody while the gate or the connection is closed: the call fails as one that the carrier never had.
 * Everything else is passed on.
 */
export function gatedCarriers(carriers: Carriers, gate: DialGate): Carriers {
  return {
    ...carriers,
    route: async (owner, connectionId, to) => {
      const route = await carriers.route(owner, connectionId, to);
      if (route === null) return null;
      const isClosed = () => gate.closed().includes(route.key);
      return { ...route, carrier: gatedCarrier(route.carrier, gate, isClosed) };
    },
  };
}

const NOT_NOW = "Nobody is dialled by this process now";

function gatedCarrier(carrier: Carrier, gate: DialGate, isClosed: () => boolean): Carrier {
  return {
    ...carrier,
    available: async () => !isClosed() && carrier.available(),
    refuses: async () => (gate.state() === "open" && !isClosed() ? carrier.refuses() : NOT_NOW),
    placeCall: async (call, sendBy) =>
      gate.state() === "open" && !isClosed()
        ? carrier.placeCall(call, sendBy)
        : {
            kind: "rejected",
            endReason: "not_placed",
            carrierCode: null,
            message: NOT_NOW,
            noAnswerAtAll: false,
          },
  };
}
