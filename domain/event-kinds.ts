import type { CallEvent } from "./call/events.ts";
import type { CampaignEvent } from "./campaign/events.ts";
import type { DomainEvent } from "./events.ts";
import type { SquadEvent } from "./squad/events.ts";

const CALL = {
  CallRequested: true,
  CallDialingBegan: true,
  CallRinging: true,
  CallDialOutcomeUnknown: true,
  CallConnected: true,
  CallConversationStarted: true,
  CallMessageAdded: true,
  CallEndRequested: true,
  CallCompleted: true,
  CallFailed: true,
  CallRecordingAvailable: true,
  LateCarrierEventRecorded: true,
  CallSessionBegan: true,
  CallSessionEnded: true,
  CallSpeechCut: true,
  CallToolBegan: true,
  CallToolEnded: true,
  CallHandedOver: true,
  CallDigitsReceived: true,
  CallMachineJudged: true,
  CallTurnFailed: true,
  CallContentErased: true,
} as const satisfies Record<CallEvent["type"], true>;

const CAMPAIGN = {
  ContactsImported: true,
  CampaignCreated: true,
  ContactsAdded: true,
  ImportAbandoned: true,
  CampaignStarted: true,
  CampaignPaused: true,
  CampaignResumed: true,
  CampaignSettingsChanged: true,
  ContactDialed: true,
  ContactSucceeded: true,
  ContactAttemptFailed: true,
  ContactSkipped: true,
  CampaignCancelled: true,
  CampaignCompleted: true,
} as const satisfies Record<CampaignEvent["type"], true>;

const SQUAD = {
  SquadCreated: true,
  SquadChanged: true,
  SquadMemberAdded: true,
  SquadMemberChanged: true,
  SquadMemberRemoved: true,
  SquadHandoffAdded: true,
  SquadHandoffChanged: true,
  SquadHandoffRemoved: true,
  SquadDeleted: true,
} as const satisfies Record<SquadEvent["type"], true>;

export function isCallEvent(event: DomainEvent): event is CallEvent {
  return Object.hasOwn(CALL, event.type);
}

export function isCampaignEvent(event: DomainEvent): event is CampaignEvent {
  return Object.hasOwn(CAMPAIGN, event.type);
}

export function isSquadEvent(event: DomainEvent): event is SquadEvent {
  return Object.hasOwn(SQUAD, event.type);
}

export const CALL_TYPES: ReadonlySet<DomainEvent["type"]> = typesOf(CALL);
export const CAMPAIGN_TYPES: ReadonlySet<DomainEvent["type"]> = typesOf(CAMPAIGN);
export const SQUAD_TYPES: ReadonlySet<DomainEvent["type"]> = typesOf(SQUAD);

function typesOf<Type extends DomainEvent["type"]>(table: Record<Type, true>): Set<Type> {
  const types = new Set<Type>();
  for (const type in table) types.add(type);
  return types;
}
