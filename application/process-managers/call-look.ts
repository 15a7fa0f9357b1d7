import type { CallAction } from "../../domain/call/deadlines.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { EventOrigin } from "../append-events.ts";
import { processOrigin } from "../call-origin.ts";
import type { Slot } from "../ports/admission.ts";
import type { Directory } from "../ports/directory.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import { callStream } from "../stream-names.ts";
import type { CallDialing } from "./call-dialing.ts";
import { askToHangUp, type CallEndingDeps, requestEnd } from "./call-ending.ts";
import { lookupCommands } from "./carrier-lookup.ts";

export type CallLookDeps = CallEndingDeps & {
  readonly dialing: CallDialing;
  readonly directory: Directory;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
};

/** Does what a call that was looked at needs. Never rejects: what fails is met again at the call's next look. */
export async function actOnCall(deps: CallLookDeps, slot: Slot, action: CallAction): Promise<void> {
  const origin = processOrigin("call-watchdog", slot.owner, slot.callId);
  try {
    switch (action) {
      case "nothing":
        return;
      case "dial":
        return await dialNow(deps, slot, origin);
      case "lookup":
        return await askCarrier(deps, slot, origin);
      case "hang_up":
        return await requestEnd(deps, slot.callId, { by: "system", reason: "max_duration" }, origin);
      case "expire":
        return await expire(deps, slot, origin);
      default:
        return assertNever(action);
    }
  } catch (error) {
    deps.logger.error({ callId: slot.callId, action, error }, "look at a call failed; it is looked at again");
  }
}

/** A call that waited for its pace. */
async function dialNow(deps: CallLookDeps, slot: Slot, origin: EventOrigin): Promise<void> {
  const request = await readRequest(deps, slot);
  if (request === null) return;
  const suppressed = await deps.directory.suppressed(slot.owner, [request.to]);
  await deps.dialing.begin(request, origin, { expectNew: false, suppressed: suppressed.has(request.to) });
}

async function readRequest(deps: CallLookDeps, slot: Slot): Promise<CallRequested["data"] | null> {
  const [first] = await deps.eventStore.read(callStream(slot.callId), { max: 1 });
  if (first === undefined) return null;
  const decoded = deps.codec.decode(first);
  return decoded.kind === "event" && decoded.recorded.event.type === "CallRequested"
    ? decoded.recorded.event.data
    : null;
}

async function askCarrier(deps: CallLookDeps, slot: Slot, origin: EventOrigin): Promise<void> {
  const stream = callStream(slot.callId);
  const carrierRef = await deps.calls.query(stream, (state) => state.carrierRef);
  await deps.crashPoints.reached("before look up");
  const result = await deps.telephony.lookup({ callId: slot.callId, carrierRef });
  await deps.crashPoints.reached("after look up");
  const handled = await deps.calls.handle(stream, lookupCommands(result, deps.clock.now()), origin);
  const overThere = result.kind === "absent" || (result.kind === "found" && result.status === "ended");
  if (hasEnded(handled.events) && !overThere) await askToHangUp(deps, slot.callId, carrierRef);
}

async function expire(deps: CallLookDeps, slot: Slot, origin: EventOrigin): Promise<void> {
  const command = { type: "ExpireDeadline", now: deps.clock.now(), lookup: null } as const;
  const stream = callStream(slot.callId);
  const handled = await deps.calls.handle(stream, [command], origin);
  const line = await deps.calls.query(stream, ({ carrierRef, dialBeganAt }) => ({ carrierRef, dialBeganAt }));
  if (hasEnded(handled.events) && line.dialBeganAt !== null) {
    await askToHangUp(deps, slot.callId, line.carrierRef);
  }
}

/** Closed by a deadline: whatever the carrier still does with it, it is asked once more to let go. */
function hasEnded(events: readonly CallEvent[]): boolean {
  return events.some(({ type }) => type === "CallFailed" || type === "CallCompleted");
}
