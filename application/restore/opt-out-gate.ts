import type { Clock } from "../ports/clock.ts";
import type { EventStore, Position } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { OptOuts } from "../ports/opt-outs.ts";
import { retryUntilDone } from "../repeating.ts";
import { type DialGate, requireNoReason } from "./dial-gate.ts";

export type OptOutGateDeps = {
  readonly eventStore: Pick<EventStore, "head" | "comparePositions">;
  readonly optOuts: Pick<OptOuts, "listAgain">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

export type OptOutGate = DialGate & {
  /** `begin` starts the reaction when the stores may be used, and returns what says how far it is. */
  readonly follow: (begin: () => () => Position) => void;
};

const LOOK_MILLIS = 25;
const PAUSES = { first: 100, longest: 5_000 };
const WAITS =
  "Who asked not to be called again has not been read from the end of the event log yet: nobody is dialled until it is. Nothing is lost, try again";

/**
 * Nobody is dialled before every opt-out of before this start is on the do-not-call list: the reaction has
 * passed what was the log's head, and numbers that the list lost are listed again.
 */
export function withOptOuts(gate: DialGate, deps: OptOutGateDeps): OptOutGate {
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
  let isPassed = false;
  const waits = () => !isPassed && gate.state() === "open";
  const whyClosed = () => gate.whyClosed() ?? (waits() ? WAITS : null);
  return {
    ...gate,
    opened: Promise.all([gate.opened, passed]).then(() => undefined),
    state: () => (waits() ? "asking" : gate.state()),
    waitsFor: () => gate.waitsFor() ?? (waits() ? "opt-outs" : null),
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
    follow: (begin) => {
      void gate.opened
        .then(() => readToTheEnd(deps, begin()))
        .then((isRead) => {
          if (!isRead) return;
          isPassed = true;
          pass();
        });
    },
  };
}

/** false: the process stops first. */
async function readToTheEnd(
  { eventStore, optOuts, clock, logger, stop }: OptOutGateDeps,
  position: () => Position,
): Promise<boolean> {
  const onFailure = (error: unknown) =>
    logger.error({ problem: String(error) }, "opt-outs cannot be read; nobody is dialled until they can");
  const ask = <T>(work: () => Promise<T>) =>
    retryUntilDone({ clock, pauses: PAUSES, signal: stop, onFailure }, work);
  const head = await ask(eventStore.head);
  if (head === undefined) return false;
  while (eventStore.comparePositions(position(), head) < 0) {
    if (stop.aborted) return false;
    await clock.sleep(LOOK_MILLIS, stop);
  }
  const missing = await ask(optOuts.listAgain);
  if (missing !== undefined && missing > 0)
    logger.warn({ numbers: missing }, "numbers that the do-not-call list had lost are on it again");
  return missing !== undefined;
}
