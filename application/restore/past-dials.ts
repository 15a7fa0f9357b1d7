import { endedUndialled, isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, plusMillis } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, START } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { MetCall, PastDial, PastDials } from "../ports/past-dials.ts";
import { retryUntilDone } from "../repeating.ts";
import { type DialGate, requireNoReason } from "./dial-gate.ts";

export type CountPastDialsDeps = {
  readonly eventStore: Pick<EventStore, "readAll">;
  readonly codec: Pick<EventCodec, "decode">;
  readonly pastDials: PastDials;
  readonly clock: Pick<Clock, "nowMillis" | "monotonicMillis">;
  readonly logger: Logger;
};

const TYPES: readonly CallEvent["type"][] = [
  "CallRequested",
  "CallDialingBegan",
  "CallCompleted",
  "CallFailed",
];
/** A page of a log that has other events in between is the dearer, the fewer it takes. */
const PAGE = 3_000;
/** As long as dials are kept. */
const COUNTED_MILLIS = 35 * 86_400_000;
/** No call has events this far apart; and clocks of processes differ by less. */
const LONGEST_CALL_MILLIS = 6 * 3_600_000;

/**
 * Counts the dials of the last 35 days that the log has, unless that is done already. It goes on where it
 * was interrupted. Rejects when log or database are unavailable.
 */
export async function countPastDials(deps: CountPastDialsDeps): Promise<void> {
  const { eventStore, pastDials, clock, logger } = deps;
  const soFar = await pastDials.readSoFar();
  if (soFar === null) return;
  const since = instantFromMillis(clock.nowMillis() - COUNTED_MILLIS);
  const begun = clock.monotonicMillis();
  const met = new Map(soFar.met.map((call) => [call.callId, call]));
  let counted = 0;
  for (let { before } = soFar; ; ) {
    const page = await eventStore.readAll({
      ...{ after: START, backward: true, limit: PAGE, filter: { types: TYPES } },
      ...(before === null ? {} : { before }),
    });
    const dials: PastDial[] = [];
    for (const decoded of await deps.codec.decode(page.events)) {
      if (decoded.kind !== "event") continue;
      const dial = dialOf(decoded.recorded.event as CallEvent, met);
      if (dial !== null && dial.at >= since) dials.push(dial);
    }
    const oldest = page.events.at(-1)?.created;
    if (oldest !== undefined) forgetOrphans(met, oldest);
    await pastDials.count(dials, { before: page.next, met: [...met.values()] });
    counted += dials.length;
    if (page.atEnd || (oldest !== undefined && plusMillis(oldest, LONGEST_CALL_MILLIS) < since)) break;
    before = page.next;
  }
  await pastDials.allRead();
  if (counted === 0) return;
  const millis = Math.round(clock.monotonicMillis() - begun);
  logger.info({ dials: counted, millis }, "dials of the last 35 days were counted from the log");
}

/** The dial, when the request of a call is met; null: there was none, or another event. */
function dialOf(event: CallEvent, met: Map<CallId, MetCall>): PastDial | null {
  const { callId, at } = event.data;
  const known = met.get(callId) ?? { callId, began: false, endReason: null, at };
  if (event.type !== "CallRequested") {
    met.set(callId, withEvent(known, event));
    return null;
  }
  met.delete(callId);
  const { began, endReason } = known;
  return endReason !== null && endedUndialled(endReason, began) ? null : requested(event.data);
}

function withEvent(known: MetCall, event: CallEvent): MetCall {
  if (event.type === "CallDialingBegan") return { ...known, began: true };
  const isEnd = isCallEnd(event);
  return isEnd ? { ...known, endReason: event.data.endReason } : known;
}

function requested({ owner, to: phoneNumber, callId, at, evidence }: CallRequested["data"]): PastDial {
  return { owner, phoneNumber, callId, at: evidence?.judgedAt ?? at };
}

/** Whose request cannot be read. */
function forgetOrphans(met: Map<CallId, MetCall>, oldest: Instant): void {
  for (const [callId, { at }] of met) {
    if (at <= plusMillis(oldest, LONGEST_CALL_MILLIS)) return;
    met.delete(callId);
  }
}

export type PastDialsGateDeps = CountPastDialsDeps & { readonly clock: Clock; readonly stop: AbortSignal };

const PAUSES = { first: 100, longest: 5_000 };
const WAITS =
  "The dials of the last 35 days have not been counted from the event log yet: nobody is dialled until they are. Nothing is lost, try again";

/** Nobody is dialled before the dials of before this release, or before a restore, are counted. */
export function withPastDials(gate: DialGate, deps: PastDialsGateDeps): DialGate {
  const { clock, logger, stop } = deps;
  let isCounted = false;
  const onFailure = (error: unknown) =>
    logger.error(
      { problem: String(error) },
      "dials of before cannot be counted; nobody is dialled until they can",
    );
  const counted = gate.opened
    .then(() =>
      retryUntilDone({ clock, pauses: PAUSES, signal: stop, onFailure }, () => countPastDials(deps)),
    )
    .then(() => {
      isCounted = !stop.aborted;
      return isCounted ? undefined : new Promise<never>(() => undefined);
    });
  const waits = () => !isCounted && gate.state() === "open";
  const whyClosed = () => gate.whyClosed() ?? (waits() ? WAITS : null);
  return {
    ...gate,
    opened: counted,
    state: () => (waits() ? "asking" : gate.state()),
    waitsFor: () => gate.waitsFor() ?? (waits() ? "dials" : null),
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
  };
}
