import {
  isEventStoreFailure,
  type Position,
  START,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { systemClock } from "../../clock.ts";
import { createGathering } from "../gathering.ts";
import type { Connection } from "./connection.ts";
import { ForeignPositionError, failureOf, unavailable } from "./failures.ts";
import { verifyPosition } from "./read-all.ts";
import { unlessAborted } from "./retrying.ts";
import { openSubscription } from "./subscription-run.ts";

const OVERRUN_PAUSE_MILLIS = 2;
const FIRST_PAUSE_MILLIS = 50;
const LONGEST_PAUSE_MILLIS = 2_000;
const DEFAULT_BATCH = 500;

/**
 * The client never resubscribes (fact 5): this does, from the last position whose batch the consumer has
 * processed. A subscription that a burst ended goes on at once, without an alarm (fact 6). One that may be
 * awaited gathers while the log is busy.
 */
export function createSubscribe(logger: Logger, connection: Connection, origin: () => Promise<Position>) {
  return async function* subscribe(
    options: SubscribeOptions,
  ): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const signal = AbortSignal.any([options.signal, connection.closing]);
    const gather = options.isAwaited && createGathering(options.isAwaited);
    let position: Position = options.after;
    let wait = FIRST_PAUSE_MILLIS;
    let verified = false;
    while (!signal.aborted) {
      try {
        if (position === START) position = await unlessAborted(signal, origin());
        const run = {
          after: position,
          filter: options.filter,
          batchSize: options.batchSize ?? DEFAULT_BATCH,
          signal,
          gather,
        };
        if (!verified) await verifyPosition(connection, position, signal);
        verified = true;
        for await (const batch of openSubscription(connection, run)) {
          yield batch;
          position = batch.position;
          wait = FIRST_PAUSE_MILLIS;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ForeignPositionError) connection.quiet.forget();
        const cause = causeOf(error);
        if (cause === "overrun") {
          logger.debug(
            { position },
            "a burst ended the live subscription; it goes on from its last position",
          );
          await systemClock.sleep(OVERRUN_PAUSE_MILLIS, signal);
          continue;
        }
        logger.warn(
          { position, cause, waitMillis: wait },
          "the subscription to the log broke; it resubscribes",
        );
        verified = false;
        await systemClock.sleep(wait, signal);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MILLIS);
      }
    }
  };
}

/** Rethrows permanent errors: the position is not in this log, or access is denied. */
function causeOf(error: unknown): string {
  if (error instanceof ForeignPositionError) throw error;
  if (isEventStoreFailure(error, "unavailable")) return error.failure.cause;
  const failure = failureOf(error);
  if (failure.kind === "final") throw unavailable(failure.cause);
  return "cause" in failure ? failure.cause : failure.kind;
}
