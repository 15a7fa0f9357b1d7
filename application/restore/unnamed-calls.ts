import type { CallOfTheCarrier } from "../../domain/campaign/commands.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";

/** A call of the carrier, without a name of ours. */
export type UnnamedCall = Omit<CallOfTheCarrier, "callId">;
type Deps = { readonly eventStore: EventStore; readonly codec: EventCodec };

const STREAMS_AT_ONCE = 32;
const EVENTS_LOOKED_AT = 20;
/** The carrier's clock may be so much behind ours; what it queues it may dial so much later. */
const EARLIER_MILLIS = 60_000;
const LATER_MILLIS = 600_000;

/**
 * Those of a carrier's nameless calls that fit no dial of the log: same numbers, about then, and bound to no other call of the carrier. Each dial explains
 * one call. `dialled`: calls that may have been dialled then.
 */
export async function unnamedCalls(
  deps: Deps,
  calls: readonly UnnamedCall[],
  dialled: readonly CallId[],
): Promise<readonly UnnamedCall[]> {
  const dials: UnnamedCall[] = [];
  for (let from = 0; from < dialled.length; from += STREAMS_AT_ONCE) {
    const some = dialled.slice(from, from + STREAMS_AT_ONCE);
    const found = await Promise.all(some.map((callId) => unboundDial(deps, callId)));
    dials.push(...found.filter((dial) => dial !== null));
  }
  return calls.flatMap((call) => {
    const index = dials.findIndex((dial) => fits(call, dial));
    if (index === -1) return [call];
    dials.splice(index, 1);
    return [];
  });
}

function fits(call: UnnamedCall, dial: UnnamedCall): boolean {
  const later = millisOf(call.at) - millisOf(dial.at);
  return call.from === dial.from && call.to === dial.to && later >= -EARLIER_MILLIS && later <= LATER_MILLIS;
}

/** null: it was not dialled, or the carrier has told its own name for it. */
async function unboundDial({ eventStore, codec }: Deps, callId: CallId): Promise<UnnamedCall | null> {
  let [dial, numbers]: [UnnamedCall["at"] | null, Pick<UnnamedCall, "from" | "to"> | null] = [null, null];
  for (const decoded of await codec.decode(await beginning(eventStore, callId))) {
    if (decoded.kind !== "event") continue;
    const { event } = decoded.recorded;
    if (event.type === "CallRequested") numbers = { from: event.data.from, to: event.data.to };
    if (event.type === "CallDialingBegan") dial = event.data.at;
    const bound = "carrierRef" in event.data && event.data.carrierRef !== null;
    if (bound) return null;
  }
  return dial === null || numbers === null ? null : { ...numbers, at: dial };
}

async function beginning(eventStore: EventStore, callId: CallId) {
  try {
    return await eventStore.read(callStream(callId), { max: EVENTS_LOOKED_AT });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found") || isEventStoreFailure(error, "deleted")) return [];
    throw error;
  }
}
