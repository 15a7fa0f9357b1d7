import type { CarrierRef } from "../../domain/call/carrier-identity.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { callStream } from "../log/stream-names.ts";
import type { UnnamedCall } from "../ports/carrier.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";

type Deps = { readonly eventStore: EventStore; readonly codec: EventCodec };
/** A dial in the log; `boundTo`: the carrier's own name for it, if it was reported. */
type KnownDial = Pick<UnnamedCall, "from" | "to" | "at"> & { readonly boundTo: CarrierRef | null };

const STREAMS_AT_ONCE = 32;
const EVENTS_LOOKED_AT = 20;
/** How far the carrier's clock may be behind ours, and how much later it may dial what it queued. */
const EARLIER_MILLIS = 60_000;
const LATER_MILLIS = 600_000;

/**
 * Calls of the carrier without our id that match no dial in the log. A dial matches when it is bound to this
 * very call, or when it is bound to none and has the same numbers at about the same time. Each dial matches
 * one call. `dialled`: calls that may have been dialled in that time.
 */
export async function unnamedCalls(
  deps: Deps,
  calls: readonly UnnamedCall[],
  dialled: readonly CallId[],
): Promise<readonly UnnamedCall[]> {
  const dials: KnownDial[] = [];
  for (let from = 0; from < dialled.length; from += STREAMS_AT_ONCE) {
    const some = dialled.slice(from, from + STREAMS_AT_ONCE);
    const found = await Promise.all(some.map((callId) => dialOf(deps, callId)));
    dials.push(...found.filter((dial) => dial !== null));
  }
  return calls.flatMap((call) => {
    const index = dials.findIndex((dial) => fits(call, dial));
    if (index === -1) return [call];
    dials.splice(index, 1);
    return [];
  });
}

function fits(call: UnnamedCall, dial: KnownDial): boolean {
  if (dial.boundTo !== null) return dial.boundTo === call.carrierRef;
  const later = millisOf(call.at) - millisOf(dial.at);
  return call.from === dial.from && call.to === dial.to && later >= -EARLIER_MILLIS && later <= LATER_MILLIS;
}

/** null: it was not dialled. */
async function dialOf({ eventStore, codec }: Deps, callId: CallId): Promise<KnownDial | null> {
  let [dial, numbers]: [UnnamedCall["at"] | null, Pick<UnnamedCall, "from" | "to"> | null] = [null, null];
  let boundTo: CarrierRef | null = null;
  for (const decoded of await codec.decode(await beginning(eventStore, callId))) {
    if (decoded.kind !== "event") continue;
    const { event } = decoded.recorded;
    if (event.type === "CallRequested") numbers = { from: event.data.from, to: event.data.to };
    if (event.type === "CallDialingBegan") dial = event.data.at;
    if ("carrierRef" in event.data) boundTo ??= event.data.carrierRef;
  }
  return dial === null || numbers === null ? null : { ...numbers, at: dial, boundTo };
}

async function beginning(eventStore: EventStore, callId: CallId) {
  try {
    return await eventStore.read(callStream(callId), { max: EVENTS_LOOKED_AT });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found") || isEventStoreFailure(error, "deleted")) return [];
    throw error;
  }
}
