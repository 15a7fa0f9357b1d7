import type { Settlement } from "../../../domain/admission/requests.ts";
import { type EndReason, endedUndialled, isCallEnd } from "../../../domain/call/end-reason.ts";
import type { CallCompleted, CallEvent, CallFailed, CallRequested } from "../../../domain/call/events.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { Calls } from "../../log/aggregates.ts";
import { callStream } from "../../log/stream-names.ts";
import type { Admission } from "../../ports/admission.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";

export const SETTLED_TYPES: readonly CallEvent["type"][] = ["CallRequested", "CallCompleted", "CallFailed"];

export type CallSettlementDeps = {
  readonly admission: Pick<Admission, "close" | "ensure">;
  readonly calls: Pick<Calls, "query">;
};

/**
 * Frees the slots of ended calls and charges their cost, once for each call however often the event comes;
 * a call that ended without a dial counts towards no cap.
 * Also creates the slot and reservation of a call whose rows a restored database has lost
 * (docs/architecture.md §5).
 */
export async function settleCalls(deps: CallSettlementDeps, events: readonly RecordedEvent[]): Promise<void> {
  const settlements: Settlement[] = [];
  const requested = events.flatMap(({ event }) => (event.type === "CallRequested" ? [event.data] : []));
  await Promise.all(requested.map((request) => ensureSlot(deps.admission, request)));
  for (const { event } of events) {
    if (!isCallEnd(event)) continue;
    const { callId, cost } = event.data;
    settlements.push({ callId, cost, unused: await wasUndialled(deps, event.data) });
  }
  if (settlements.length === 0) return;
  await deps.admission.close(settlements);
}

/** Ends of calls whose dial never began. */
const BEFORE_THE_DIAL: readonly EndReason[] = ["suppressed", "invalid_text"];

/** Only a canceled call has to be read for it; one that cannot be read counts as dialled. */
async function wasUndialled(
  { calls }: CallSettlementDeps,
  { callId, endReason }: CallFailed["data"] | CallCompleted["data"],
): Promise<boolean> {
  if (endReason !== "canceled") return endedUndialled(endReason, !BEFORE_THE_DIAL.includes(endReason));
  try {
    const began = await calls.query(callStream(callId), (state) => state.dialBeganAt !== null, {
      fresh: true,
    });
    return endedUndialled(endReason, began);
  } catch (error) {
    if (isRefusedForGood(error)) return false;
    throw error;
  }
}

async function ensureSlot(
  admission: Pick<Admission, "ensure">,
  request: CallRequested["data"],
): Promise<void> {
  const { callId, owner, campaignId, to, dialAt, dialBy, pricePerMinute } = request;
  const nextLookAt = plusMillis(dialAt, 30_000);
  const slot = { callId, owner, campaignId, phoneNumber: to, dialAt, dialBy, nextLookAt };
  await admission.ensure(slot, pricePerMinute);
}
