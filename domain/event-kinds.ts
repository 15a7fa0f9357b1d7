import { callDecider } from "./call/decider.ts";
import type { CallEvent } from "./call/events.ts";
import { campaignDecider } from "./campaign/decider.ts";
import type { CampaignEvent } from "./campaign/events.ts";
import type { DomainEvent } from "./events.ts";
import { policyDecider } from "./policy/decider.ts";
import type { PolicyEvent } from "./policy/events.ts";
import { squadDecider } from "./squad/decider.ts";
import type { SquadEvent } from "./squad/events.ts";
import { listEventTypes, type SuppressionListEvent } from "./suppression/events.ts";

export const CALL_TYPES: ReadonlySet<DomainEvent["type"]> = callDecider.types;
export const CAMPAIGN_TYPES: ReadonlySet<DomainEvent["type"]> = campaignDecider.types;
export const SQUAD_TYPES: ReadonlySet<DomainEvent["type"]> = squadDecider.types;
export const POLICY_TYPES: ReadonlySet<DomainEvent["type"]> = policyDecider.types;
export const SUPPRESSION_LIST_TYPES: ReadonlySet<DomainEvent["type"]> = listEventTypes;
export const ALL_TYPES: ReadonlySet<DomainEvent["type"]> = new Set([
  ...CALL_TYPES,
  ...CAMPAIGN_TYPES,
  ...SQUAD_TYPES,
  ...POLICY_TYPES,
  ...SUPPRESSION_LIST_TYPES,
]);

export function isCallEvent(event: DomainEvent): event is CallEvent {
  return CALL_TYPES.has(event.type);
}

export function isCampaignEvent(event: DomainEvent): event is CampaignEvent {
  return CAMPAIGN_TYPES.has(event.type);
}

export function isSquadEvent(event: DomainEvent): event is SquadEvent {
  return SQUAD_TYPES.has(event.type);
}

export function isPolicyEvent(event: DomainEvent): event is PolicyEvent {
  return POLICY_TYPES.has(event.type);
}

export function isSuppressionListEvent(event: DomainEvent): event is SuppressionListEvent {
  return SUPPRESSION_LIST_TYPES.has(event.type);
}
