import type { Settlement } from "../../../domain/admission/requests.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { Admission } from "../../ports/admission.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";

export const SETTLED_TYPES: readonly CallEvent["type"][] = ["CallRequested", "CallCompleted", "CallFailed"];

export type CallSettlementDeps = { readonly admission: Pick<Admission, "close" | "ensure"> };

/**
 * Frees the slots of ended calls and charges their cost, once for each call however often the event comes.
 * Also creates the slot and reservation of a call whose rows a restored database has lost
 * (docs/architecture.md §5).
 */
export async function settleCalls(deps: CallSettlementDeps, events: readonly RecordedEvent[]): Promise<void> {
  const settlements: Settlement[] = [];
  const requested = events.flatMap(({ event }) => (event.type === "CallRequested" ? [event.data] : []));
  await Promise.all(requested.map((request) => ensureSlot(deps.admission, request)));
  for (const { event } of events) {
    if (event.type === "CallCompleted" || event.type === "CallFailed") {
      settlements.push({ callId: event.data.callId, cost: event.data.cost });
    }
  }
  if (settlements.length === 0) return;
  await deps.admission.close(settlements);
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
