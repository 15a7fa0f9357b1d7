import type pg from "pg";
import type { Clock } from "../application/ports/clock.ts";
import { type EventStore, EventStoreError, type Position } from "../application/ports/event-store.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { Telephony } from "../application/ports/telephony.ts";
import { findRestored } from "./postgres/alive.ts";

/** Whether this process may dial. Opens once, or never. */
export type DialGate = {
  /** Resolves when the gate opens; never when it stays shut. */
  readonly opened: Promise<void>;
  readonly state: () => "asking" | "open" | "shut";
  /** Throws Unavailable while it is not open: nothing that may lead to a dial is decided before. */
  readonly requireOpen: () => void;
};

export type DialGateDeps = {
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  /** Where the reactions of this database stand. */
  readonly after: Position;
  readonly acceptRestored: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

const LONGEST_PAUSE_MILLIS = 10_000;

/** The log lies in the same database: both go back together, and nobody is dialled twice for it. */
export const openGate: DialGate = {
  opened: Promise.resolve(),
  state: () => "open",
  requireOpen: () => undefined,
};

/**
 * Shut when PostgreSQL was restored to an older state than the log's: what was dialled since stands in the log, but not in slots, ledger and
 * outbox. It then opens only at a start that names the position (`ACCEPT_RESTORED`). While the log cannot be read nobody knows: it stays shut and
 * asks again.
 */
export function createDialGate(deps: DialGateDeps): DialGate {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let state: ReturnType<DialGate["state"]> = "asking";
  void ask(deps).then((answer) => {
    state = answer;
    if (answer === "open") resolve();
  });
  const requireOpen = (): void => {
    if (state === "open") return;
    throw new EventStoreError({ kind: "unavailable", cause: CAUSES[state] });
  };
  return { opened, state: () => state, requireOpen };
}

const CAUSES = {
  asking: "the log has not been read since the start",
  shut: "the database is older than the log, and nobody has accepted it",
};

async function ask({
  pool,
  eventStore,
  after,
  acceptRestored,
  clock,
  logger,
  stop,
}: DialGateDeps): Promise<"asking" | "open" | "shut"> {
  for (let pause = 500; !stop.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
    try {
      const restored = await findRestored(pool, eventStore, after);
      if (restored === null || restored.position === acceptRestored) return "open";
      logger.error(
        { ...restored },
        `PostgreSQL is older than the event log: it was last alive at ${restored.aliveAt}. Nobody is dialled. Start with ACCEPT_RESTORED=${restored.position} to go on with this database.`,
      );
      return "shut";
    } catch (error) {
      logger.error(
        { problem: String(error) },
        "the event log cannot be read; nobody is dialled until it can",
      );
      await clock.sleep(pause, stop);
    }
  }
  return "asking";
}

/** Dials nobody while the gate is not open: the call fails as one that the carrier never had. Everything else goes through. */
export function gatedTelephony(telephony: Telephony, gate: DialGate): Telephony {
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
