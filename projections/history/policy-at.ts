import { recordedEvents } from "../../application/log/recorded-events.ts";
import { policyStream } from "../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { PolicyChanged } from "../../domain/policy/events.ts";
import type { PolicyInForce } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { eventsUntil, type LogDeps } from "./stream-history.ts";

/** The owner's policy as it was, and the event that made it so. */
export type PolicyFact = PolicyInForce & { readonly changed: RecordedEvent<PolicyChanged> };

/** What was in force at that moment; null: there was none yet. Read from the log, so never behind. */
export async function policyAt(deps: LogDeps, owner: OwnerId, at: Instant): Promise<PolicyFact | null> {
  let found: PolicyFact | null = null;
  for await (const recorded of eventsUntil(recordedEvents(deps, policyStream(owner)), at)) {
    const { event } = recorded;
    if (event.type !== "PolicyChanged") continue;
    const { version, policy } = event.data;
    found = { version, policy, changed: { ...recorded, event } };
  }
  return found;
}
