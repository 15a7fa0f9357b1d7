import { RETRIED_END_REASONS } from "../domain/call/end-reason.ts";
import type { WorldCondition } from "../domain/campaign/conditions.ts";
import type { CampaignEvent } from "../domain/campaign/events.ts";
import { NO_LISTS } from "../domain/policy/list-age.ts";
import type { CampaignId } from "../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../domain/shared/instant.ts";

export const CONTACTS = 10_000;
export const START: Instant = "2026-09-01T10:00:00.000Z";
/** Nothing keeps the campaign from dialling. */
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
const CHUNK = 500;
const ZONES = [null, "America/New_York", "Asia/Kolkata", "Europe/Lisbon"];

/**
 * A started campaign: 10,000 contacts in four zones, nobody called yet. Its ids are
 * unique, as in the service.
 */
export function* startedCampaign(campaign: number): Generator<CampaignEvent> {
  const campaignId = idOf(campaign);
  const moment = { campaignId, at: START };
  for (let firstIndex = 0; firstIndex < CONTACTS; firstIndex += CHUNK) {
    const contacts = Array.from({ length: CHUNK }, (_, index) => contactOf(campaign, firstIndex + index));
    yield { type: "ContactsImported", data: { ...moment, importId: "imp_1", firstIndex, contacts } };
  }
  yield { type: "CampaignCreated", data: creation(campaignId) };
  yield { type: "CampaignStarted", data: moment };
}

/** The same after its whole life of 30,000 events: everybody was called, every second one twice. */
export function* finishedCampaign(campaign: number): Generator<CampaignEvent> {
  yield* startedCampaign(campaign);
  for (let contact = 0; contact < CONTACTS; contact += 1) {
    yield dial(campaign, contact, 1);
    yield contact % 2 === 0 ? success(campaign, contact, 1) : failure(campaign, contact);
  }
  for (let contact = 1; contact < CONTACTS; contact += 2) {
    yield dial(campaign, contact, 2);
    yield success(campaign, contact, 2);
  }
}

/** Everybody was called once without success and waits for the retry. */
export function* waitingCampaign(campaign: number): Generator<CampaignEvent> {
  yield* startedCampaign(campaign);
  for (let contact = 0; contact < CONTACTS; contact += 1) {
    yield dial(campaign, contact, 1);
    yield failure(campaign, contact);
  }
}

/** Everybody was called once and agreed a callback, at the times of the retries of `waitingCampaign`. */
export function* agreedCampaign(campaign: number): Generator<CampaignEvent> {
  yield* startedCampaign(campaign);
  for (let contact = 0; contact < CONTACTS; contact += 1) {
    yield dial(campaign, contact, 1);
    yield callback(campaign, contact);
  }
}

function idOf(campaign: number): CampaignId {
  return `cmp_${String(campaign).padStart(26, "0")}`;
}

function contactId(campaign: number, contact: number) {
  return `ctc_${String(campaign * CONTACTS + contact).padStart(26, "0")}` as const;
}

function contactOf(campaign: number, contact: number) {
  return {
    contactId: contactId(campaign, contact),
    phoneNumber: numberOf(contact),
    name: `Contact ${contact}`,
    customData: { order: contact },
    timezone: ZONES[contact % ZONES.length] ?? null,
    externalId: null,
  };
}

function numberOf(contact: number) {
  return `+1415${String(contact).padStart(7, "0")}` as const;
}

function creation(campaignId: CampaignId) {
  return {
    campaignId,
    owner: "usr_1",
    importId: "imp_1",
    totalContacts: CONTACTS,
    rejected: { count: 0, items: [] },
    settings: {
      name: "Bench",
      maxConcurrentCalls: null,
      maxCallsPerSecond: null,
      maxRetries: null,
      retryIntervalMins: null,
      retryOn: RETRIED_END_REASONS,
      timezone: "Europe/Istanbul",
      window: { start: 0, end: 23 },
    },
    phoneNumberId: "pn_1",
    from: "+15005550100",
    assistant: { assistantId: "ast_1", assistantVersion: 1, name: "Ada", greetingMessage: "Hello" },
    squad: null,
    voicemailPolicy: "hang_up",
    voicemailMessage: null,
    maxDurationSeconds: 600,
    ringTimeoutSeconds: 60,
    greetingMessage: null,
    specialInstructions: null,
    metadata: {},
    at: START,
  } as const;
}

function attemptOf(campaign: number, contact: number, attempt: number) {
  return {
    campaignId: idOf(campaign),
    at: START,
    contactId: contactId(campaign, contact),
    callId: `call_${String((campaign * CONTACTS + contact) * 10 + attempt).padStart(26, "0")}` as const,
    attempt,
  };
}

function dial(campaign: number, contact: number, attempt: number): CampaignEvent {
  const evidence = {
    localTime: "2026-09-01T13:00:00.000+03:00",
    utcOffsetMinutes: 180,
    timezone: "Europe/Istanbul",
    window: { start: 0, end: 23 },
    activeCalls: 1,
    effectiveMaxConcurrentCalls: 10,
    availableCredits: 50_000,
    attempt,
  };
  const data = { ...attemptOf(campaign, contact, attempt), phoneNumber: numberOf(contact), evidence };
  return { type: "ContactDialed", data: { ...data, dialAt: START, dialBy: plusMillis(START, 15_000) } };
}

function success(campaign: number, contact: number, attempt: number): CampaignEvent {
  const ended = { endReason: "customer_ended", durationSeconds: 30, maxAttempts: 4 } as const;
  return { type: "ContactSucceeded", data: { ...attemptOf(campaign, contact, attempt), ...ended } };
}

function failure(campaign: number, contact: number): CampaignEvent {
  const ended = { endReason: "busy", durationSeconds: null, maxAttempts: 4 } as const;
  const retryAt = plusMillis(START, contact);
  return { type: "ContactAttemptFailed", data: { ...attemptOf(campaign, contact, 1), ...ended, retryAt } };
}

function callback(campaign: number, contact: number): CampaignEvent {
  const ended = { endReason: "customer_ended", durationSeconds: 30, cost: 0, maxAttempts: 5 } as const;
  const agreed = {
    agreedAt: START,
    callbackAt: plusMillis(START, contact),
    zone: "Europe/Istanbul",
  } as const;
  return {
    type: "ContactCallbackScheduled",
    data: { ...attemptOf(campaign, contact, 1), ...ended, ...agreed },
  };
}
