import type { CarrierEvent, CarrierEventSink } from "../../../../application/ports/carrier.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import { type Pauses, retryUntilDone } from "../../../../application/repeating.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";

const PAUSES: Pauses = { first: 100, longest: 5_000 };
const GIVE_UP_MILLIS = 10 * 60_000;

/** An event without the identity of its call. */
export type Telling = CarrierEvent extends infer Event
  ? Event extends CarrierEvent
    ? Omit<Event, "callId" | "carrierRef" | "sequence">
    : never
  : never;

/** Delivers the events of each call in order, each until it is accepted. */
export interface EventDelivery {
  /** False: given up, after 10 minutes or at the stop. Never rejects. */
  tell(callId: CallId, telling: Telling): Promise<boolean>;
  /** Resolves when all events of the call so far are accepted or given up. */
  settled(callId: CallId): Promise<unknown>;
  stop(): void;
}

export type EventDeliveryDeps = {
  readonly sink: CarrierEventSink;
  readonly clock: Clock;
  readonly logger: Logger;
};

export function createEventDelivery({ sink, clock, logger }: EventDeliveryDeps): EventDelivery {
  const stopping = new AbortController();
  const last = new Map<CallId, Promise<boolean>>();
  const untilTaken = async (event: CarrierEvent): Promise<boolean> => {
    const since = clock.monotonicMillis();
    const onFailure = (error: unknown) => {
      if (clock.monotonicMillis() - since > GIVE_UP_MILLIS) throw error;
    };
    const retrying = { clock, pauses: PAUSES, signal: stopping.signal, onFailure };
    try {
      return (await retryUntilDone(retrying, () => sink(event).then(() => true))) === true;
    } catch (error) {
      const { callId, type } = event;
      logger.error({ callId, type, error }, "what the carrier told was not taken; the call is looked up");
      return false;
    }
  };
  return {
    stop: () => stopping.abort(),
    settled: (callId) => last.get(callId) ?? Promise.resolve(),
    tell: (callId, telling) => {
      // The channel id is the call's own id.
      const event: CarrierEvent = { ...telling, callId, carrierRef: callId, sequence: 0 };
      const before = last.get(callId) ?? Promise.resolve(true);
      const reported: Promise<boolean> = before
        .then(() => untilTaken(event))
        .finally(() => {
          if (last.get(callId) === reported) last.delete(callId);
        });
      last.set(callId, reported);
      return reported;
    },
  };
}
