import type { Clock } from "../ports/clock.ts";
import type { EventStore, Position } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { OptOuts } from "../ports/opt-outs.ts";
import { retryUntilDone } from "../repeating.ts";
import { type DialGate, requireNoReason } from "./dial-gate.ts";

export type ReadingGateDeps = {
  readonly eventStore: Pick<EventStore, "head" | "comparePositions">;
  readonly optOuts: Pick<OptOuts, "listAgain">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

/** Reactions that every process runs, and that pass what was the log's head at its start before it dials. */
export const READ_FIRST = ["opt-outs", "policies", "suppression-lists"] as const;
export type ReadFirst = (typeof READ_FIRST)[number];

export type ReadingGate = DialGate & {
  /** `begin` starts the reaction when the stores may be used, and returns what says how far it is. */
  readonly follow: (name: ReadFirst, begin: () => () => Position) => void;
  /** The reactions that keep it closed; none while another cause does. */
  readonly reads: () => readonly ReadFirst[];
};

const LOOK_MILLIS = 25;
const PAUSES = { first: 100, longest: 5_000 };
const NOT_READ = "not been read from the end of the event log yet: nobody is dialled until";
const WAITS: Readonly<Record<ReadFirst, string>> = {
  "opt-outs": `Who asked not to be called again has ${NOT_READ} it is. Nothing is lost, try again`,
  policies: `The policies of owners have ${NOT_READ} they are. Nothing is lost, try again`,
  "suppression-lists": `Changes of suppression lists have ${NOT_READ} they are. Nothing is lost, try again`,
};

/**
 * Nobody is dialled before every opt-out of before this start is on the do-not-call list, every policy is in
 * force and every list that is older than the log is known: the reactions have passed what was the log's
 * head, and lost numbers are listed again.
 */
export function withReadings(gate: DialGate, deps: ReadingGateDeps): ReadingGate {
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
  const unread = new Set<ReadFirst>(READ_FIRST);
  const reads = () => (gate.state() === "open" ? [...unread] : []);
  const whyClosed = () => gate.whyClosed() ?? reads().map((name) => WAITS[name])[0] ?? null;
  return {
    ...gate,
    opened: Promise.all([gate.opened, passed]).then(() => undefined),
    state: () => (reads().length > 0 ? "asking" : gate.state()),
    waitsFor: () => gate.waitsFor() ?? reads()[0] ?? null,
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
    reads,
    follow: (name, begin) => {
      void gate.opened
        .then(() => readToTheEnd(deps, name, begin()))
        .then((isRead) => {
          if (!isRead) return;
          unread.delete(name);
          if (unread.size === 0) pass();
        });
    },
  };
}

/** false: the process stops first. */
async function readToTheEnd(
  { eventStore, optOuts, clock, logger, stop }: ReadingGateDeps,
  name: ReadFirst,
  position: () => Position,
): Promise<boolean> {
  const onFailure = (error: unknown) =>
    logger.error({ problem: String(error) }, `${name} cannot be read; nobody is dialled until they can`);
  const ask = <T>(work: () => Promise<T>) =>
    retryUntilDone({ clock, pauses: PAUSES, signal: stop, onFailure }, work);
  const head = await ask(eventStore.head);
  if (head === undefined) return false;
  while (eventStore.comparePositions(position(), head) < 0) {
    if (stop.aborted) return false;
    await clock.sleep(LOOK_MILLIS, stop);
  }
  if (name !== "opt-outs") return true;
  const missing = await ask(optOuts.listAgain);
  if (missing !== undefined && missing > 0)
    logger.warn({ numbers: missing }, "numbers that the do-not-call list had lost are on it again");
  return missing !== undefined;
}
