import type { Carrier } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { Clock } from "../../application/ports/clock.ts";
import { EventStoreError } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { CarrierSilentError, type Restored } from "./restore-guard.ts";

/** Whether this process may dial. Opens once, or never. */
export type DialGate = {
  /** Resolves when the gate opens; never when it stays shut. */
  readonly opened: Promise<void>;
  /** Resolves when it is known whether it opens. */
  readonly decided: Promise<void>;
  /** Resolves when it has asked once, whatever came of it. */
  readonly asked: Promise<void>;
  readonly state: () => "asking" | "open" | "shut";
  /** Who has not answered while it asks. */
  readonly waitsFor: () => "event log" | "carrier" | null;
  /** Why it is shut. */
  readonly restored: () => Restored | null;
  /** Throws Unavailable while it is not open: nothing that may lead to a dial is decided before. */
  readonly requireOpen: () => void;
};

export type DialGateDeps = {
  /** Whether the stores were restored; rejects when it cannot be known now. */
  readonly look: () => Promise<Restored | null>;
  /** Makes what was restored fit to go on. Repeated when it rejects. */
  readonly accept: (restored: Restored) => Promise<void>;
  /** The value that the operator names. */
  readonly acceptRestored: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

const LONGEST_PAUSE_MILLIS = 10_000;

/** Nobody can tell of a restore: log and database are one, and so is the carrier's journal. */
export const openGate: DialGate = {
  opened: Promise.resolve(),
  decided: Promise.resolve(),
  asked: Promise.resolve(),
  state: () => "open",
  waitsFor: () => null,
  restored: () => null,
  requireOpen: () => undefined,
};

/**
 * Shut when the stores were restored to an older state, or to different ones: people would be dialled again. It then opens only at a start that
 * names the state (`ACCEPT_RESTORED`). While log or carrier do not answer nobody knows: it stays shut and asks again.
 */
export function createDialGate(deps: DialGateDeps): DialGate {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const seen: Seen = { state: "asking", waitsFor: null, restored: null };
  const { promise: asked, resolve: askedOnce } = Promise.withResolvers<void>();
  const decided = ask(deps, seen, askedOnce).then(() => {
    askedOnce();
    if (seen.state === "open") open();
  });
  const requireOpen = (): void => {
    if (seen.state === "open") return;
    throw new EventStoreError({ kind: "unavailable", cause: CAUSES[seen.state] });
  };
  return {
    opened,
    decided,
    asked,
    state: () => seen.state,
    waitsFor: () => seen.waitsFor,
    restored: () => seen.restored,
    requireOpen,
  };
}

const CAUSES = {
  asking: "the log or the carrier has not been read since the start",
  shut: "the stores were restored, and nobody has accepted it",
};

type Seen = {
  state: ReturnType<DialGate["state"]>;
  waitsFor: ReturnType<DialGate["waitsFor"]>;
  restored: Restored | null;
};

/** Ends with the first answer, or when the process stops. */
async function ask(deps: DialGateDeps, seen: Seen, askedOnce: () => void): Promise<void> {
  const { look, accept, acceptRestored, clock, logger, stop } = deps;
  for (let pause = 500; !stop.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
    try {
      const restored = await look();
      const accepted = restored === null || restored.value === acceptRestored;
      if (restored !== null && accepted) await accept(restored);
      if (!accepted) logger.error({ ...restored.detail }, restored.line);
      seen.restored = accepted ? null : restored;
      seen.waitsFor = null;
      seen.state = accepted ? "open" : "shut";
      return;
    } catch (error) {
      seen.waitsFor = error instanceof CarrierSilentError ? "carrier" : "event log";
      logger.error({ problem: String(error) }, PROBLEMS[seen.waitsFor]);
      askedOnce();
      await clock.sleep(pause, stop);
    }
  }
}

const PROBLEMS = {
  "event log": "the event log cannot be read; nobody is dialled until it can",
  carrier: "the carrier does not say which calls it had; nobody is dialled until it does",
};

/** Dials nobody while the gate is not open: the call fails as one that the carrier never had. Everything else goes through. */
export function gatedCarriers(carriers: Carriers, gate: DialGate): Carriers {
  return {
    ...carriers,
    route: async (owner, connectionId, to) => {
      const route = await carriers.route(owner, connectionId, to);
      return route === null ? null : { ...route, carrier: gatedCarrier(route.carrier, gate) };
    },
  };
}

function gatedCarrier(telephony: Carrier, gate: DialGate): Carrier {
  return {
    ...telephony,
    placeCall: async (call, sendBy) =>
      gate.state() === "open"
        ? telephony.placeCall(call, sendBy)
        : {
            kind: "rejected",
            endReason: "not_placed",
            carrierCode: null,
            message: "Nobody is dialled by this process now",
            noAnswerAtAll: false,
          },
  };
}
