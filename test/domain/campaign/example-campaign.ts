import { RETRIED_END_REASONS } from "../../../domain/call/end-reason.ts";
import type { WorldCondition } from "../../../domain/campaign/conditions.ts";
import type { CampaignCommand } from "../../../domain/campaign/decider.ts";
import type { GrantedDial } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignCreated, CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";

/** A Tuesday, 13:00 in Istanbul. */
export const START_MILLIS = Date.parse("2026-09-01T10:00:00.000Z");

export function at(seconds: number): Instant {
  return instantFromMillis(START_MILLIS + seconds * 1_000);
}

export const SETTINGS: CampaignSettings = {
  name: "Example",
  maxConcurrentCalls: null,
  maxCallsPerSecond: null,
  maxRetries: 2,
  retryIntervalMins: 5,
  retryOn: RETRIED_END_REASONS,
  timezone: "Europe/Istanbul",
  window: null,
};

export const FINE: WorldCondition = {
  phoneNumberInactive: false,
  assistantUnpublished: false,
  insufficientCredits: false,
  carrierUnavailable: false,
  assistantUnavailable: false,
  silentUrls: [],
  policy: null,
  lists: NO_LISTS,
};

export const campaignId = "cmp_1" as const;

/** Who calls once the campaign has another assistant than at its creation. */
export const OTHER_ASSISTANT = {
  assistantId: "ast_2",
  assistantVersion: 7,
  name: "Bo",
  greetingMessage: "Hi",
} as const;

export function contact(number: number, changes: Partial<ImportedContact> = {}): ImportedContact {
  return {
    contactId: `ctc_${number}`,
    phoneNumber: `+1415555010${number}`,
    name: null,
    customData: {},
    timezone: null,
    externalId: null,
    ...changes,
  };
}

export function imported(
  contacts: readonly ImportedContact[],
  importId: "imp_1" | "imp_2" = "imp_1",
  firstIndex = 0,
  moment = at(-2),
): CampaignEvent {
  return { type: "ContactsImported", data: { campaignId, importId, firstIndex, contacts, at: moment } };
}

export function creation(
  totalContacts: number,
  settings: Partial<CampaignSettings> = {},
): CampaignCreated["data"] {
  return {
    campaignId,
    owner: "usr_1",
    importId: "imp_1",
    totalContacts,
    rejected: { count: 0, items: [] },
    settings: { ...SETTINGS, ...settings },
    phoneNumberId: "pn_1",
    from: "+15005550100",
    assistant: { assistantId: "ast_1", assistantVersion: 1, name: "Ada", greetingMessage: "Hello" },
    squad: null,
    voicemailPolicy: "hang_up",
    voicemailMessage: null,
    maxDurationSeconds: 600,
    ringTimeoutSeconds: 45,
    greetingMessage: null,
    specialInstructions: null,
    metadata: {},
    at: at(-1),
  };
}

export function created(
  contacts: readonly ImportedContact[],
  settings: Partial<CampaignSettings> = {},
): CampaignEvent[] {
  return [imported(contacts), { type: "CampaignCreated", data: creation(contacts.length, settings) }];
}

export const started: CampaignEvent = { type: "CampaignStarted", data: { campaignId, at: at(0) } };

export function running(
  contacts: readonly ImportedContact[],
  settings: Partial<CampaignSettings> = {},
): CampaignEvent[] {
  return [...created(contacts, settings), started];
}

export function paused(
  reason: Extract<CampaignEvent, { type: "CampaignPaused" }>["data"]["reason"],
  nextWindowOpensAt: Instant | null = null,
): CampaignEvent {
  return { type: "CampaignPaused", data: { campaignId, at: at(1), reason, nextWindowOpensAt } };
}

export function granted(
  number: number,
  callNumber = number,
  changes: Partial<GrantedDial> = {},
): GrantedDial {
  return {
    contactId: `ctc_${number}`,
    callId: `call_${callNumber}`,
    dialAt: at(2),
    dialBy: at(17),
    evidence: { activeCalls: 1, effectiveMaxConcurrentCalls: 10, availableCredits: 50_000 },
    ...changes,
  };
}

export function dialed(number: number, callNumber = number, attempt = 1): CampaignEvent {
  return {
    type: "ContactDialed",
    data: {
      campaignId,
      at: at(2),
      contactId: `ctc_${number}`,
      callId: `call_${callNumber}`,
      phoneNumber: `+1415555010${number}`,
      attempt,
      dialAt: at(2),
      dialBy: at(17),
      evidence: {
        localTime: "2026-09-01T13:00:02.000+03:00",
        utcOffsetMinutes: 180,
        timezone: "Europe/Istanbul",
        window: null,
        activeCalls: 1,
        effectiveMaxConcurrentCalls: 10,
        availableCredits: 50_000,
        attempt,
      },
    },
  };
}

type RecordAttemptOutcome = Extract<CampaignCommand, { readonly type: "RecordAttemptOutcome" }>;

/** Its call, of the same number, ended a minute after the start. */
export function attemptEnded(
  number: number,
  endReason: RecordAttemptOutcome["endReason"],
  changes: Partial<RecordAttemptOutcome> = {},
): RecordAttemptOutcome {
  return {
    type: "RecordAttemptOutcome",
    contactId: `ctc_${number}`,
    callId: `call_${number}`,
    endReason,
    durationSeconds: null,
    cost: 0,
    endedAt: at(60),
    now: at(61),
    ...changes,
  };
}

export function succeeded(number: number, callNumber = number): CampaignEvent {
  return {
    type: "ContactSucceeded",
    data: {
      campaignId,
      at: at(60),
      contactId: `ctc_${number}`,
      callId: `call_${callNumber}`,
      attempt: 1,
      endReason: "customer_ended",
      durationSeconds: 30,
      maxAttempts: 3,
    },
  };
}

export function failed(number: number, retryAt: Instant | null, callNumber = number): CampaignEvent {
  return {
    type: "ContactAttemptFailed",
    data: {
      campaignId,
      at: at(60),
      contactId: `ctc_${number}`,
      callId: `call_${callNumber}`,
      attempt: 1,
      endReason: "busy",
      durationSeconds: null,
      maxAttempts: 3,
      retryAt,
    },
  };
}

export function callbackScheduled(number: number, callbackAt: Instant, callNumber = number): CampaignEvent {
  return {
    type: "ContactCallbackScheduled",
    data: {
      campaignId,
      at: at(60),
      contactId: `ctc_${number}`,
      callId: `call_${callNumber}`,
      attempt: 1,
      endReason: "customer_ended",
      durationSeconds: 30,
      cost: 0,
      maxAttempts: 5,
      agreedAt: at(40),
      callbackAt,
      zone: "Europe/Istanbul",
    },
  };
}
