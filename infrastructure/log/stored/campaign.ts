import { z } from "zod";
import {
  callId,
  callWindow,
  campaignId,
  contactId,
  creditUnits,
  endReason,
  importId,
  instant,
  jsonObject,
  ownerId,
  phoneNumber,
  phoneNumberId,
  pinnedAssistant,
  pinnedSquad,
  suppressionListId,
  suppressionListKind,
  voicemailPolicy,
} from "./fields.ts";
import { compared, consent, eligibilityCheck, policyEvidence } from "./policy.ts";
import { versionOne } from "./stored-type.ts";

const moment = z.object({ campaignId, at: instant });

const importedContact = z.object({
  contactId,
  phoneNumber,
  name: z.string().nullable(),
  customData: jsonObject,
  timezone: z.string().nullable(),
  externalId: z.string().nullable(),
  consent: consent.exactOptional(),
});

const rejected = z.object({
  count: z.int(),
  items: z.array(
    z.object({
      index: z.int(),
      phoneNumber: z.string().nullable(),
      reason: z.string(),
      line: z.int().exactOptional(),
    }),
  ),
});

const settings = {
  name: z.string(),
  maxConcurrentCalls: z.int().nullable(),
  maxCallsPerSecond: z.number().nullable(),
  maxRetries: z.int().nullable(),
  retryIntervalMins: z.int().nullable(),
  retryOn: z.array(endReason),
  retryPlan: z
    .array(z.object({ endReasons: z.array(endReason), afterMins: z.array(z.int()), sameDay: z.boolean() }))
    .nullable()
    .exactOptional(),
  timezone: z.string(),
  window: callWindow.nullable(),
  startAt: instant.nullable().exactOptional(),
  eligibility: eligibilityCheck.nullable().exactOptional(),
};

const settingsChanges = z.object({
  name: settings.name.exactOptional(),
  maxConcurrentCalls: settings.maxConcurrentCalls.exactOptional(),
  maxCallsPerSecond: settings.maxCallsPerSecond.exactOptional(),
  maxRetries: settings.maxRetries.exactOptional(),
  retryIntervalMins: settings.retryIntervalMins.exactOptional(),
  retryOn: settings.retryOn.exactOptional(),
  retryPlan: settings.retryPlan,
  timezone: settings.timezone.exactOptional(),
  window: settings.window.exactOptional(),
  startAt: settings.startAt,
  eligibility: settings.eligibility,
});

/** What calls are made with, and what they say. */
const pins = {
  phoneNumberId,
  from: phoneNumber,
  assistant: pinnedAssistant,
  squad: pinnedSquad.nullable(),
  voicemailPolicy,
  voicemailMessage: z.string().nullable(),
  maxDurationSeconds: z.number(),
  greetingMessage: z.string().nullable(),
  specialInstructions: z.string().nullable(),
  pinned: z.string().exactOptional(),
  placeholders: z.literal([2, 3]).exactOptional(),
};

const changedPins = z.object({
  phoneNumberId: pins.phoneNumberId.exactOptional(),
  from: pins.from.exactOptional(),
  assistant: pins.assistant.exactOptional(),
  squad: pins.squad.exactOptional(),
  voicemailPolicy: pins.voicemailPolicy.exactOptional(),
  voicemailMessage: pins.voicemailMessage.exactOptional(),
  maxDurationSeconds: pins.maxDurationSeconds.exactOptional(),
  greetingMessage: pins.greetingMessage.exactOptional(),
  specialInstructions: pins.specialInstructions.exactOptional(),
  pinned: pins.pinned,
  placeholders: pins.placeholders,
});

const created = moment.extend({
  owner: ownerId,
  importId,
  totalContacts: z.int(),
  rejected,
  settings: z.object(settings),
  ...pins,
  ringTimeoutSeconds: z.number(),
  metadata: jsonObject,
  defaulted: z.array(z.enum(["retryOn", "timezone"])).exactOptional(),
});

const evidence = z.object({
  localTime: z.string(),
  utcOffsetMinutes: z.number(),
  timezone: z.string(),
  window: callWindow.nullable(),
  activeCalls: z.int(),
  effectiveMaxConcurrentCalls: z.int(),
  availableCredits: creditUnits,
  attempt: z.int(),
  policyVersion: policyEvidence.shape.policyVersion.exactOptional(),
  judgedAt: policyEvidence.shape.judgedAt.exactOptional(),
  checks: policyEvidence.shape.checks.exactOptional(),
  zones: policyEvidence.shape.zones.exactOptional(),
  eligibility: policyEvidence.shape.eligibility,
});

const dialed = moment.extend({
  contactId,
  callId,
  phoneNumber,
  attempt: z.int(),
  dialAt: instant,
  dialBy: instant,
  evidence,
  waitedForCallback: z.literal(true).exactOptional(),
});

const attemptEnded = moment.extend({
  contactId,
  callId,
  attempt: z.int(),
  endReason,
  durationSeconds: z.number().nullable(),
  cost: creditUnits.exactOptional(),
  maxAttempts: z.int(),
  optedOut: z.literal(true).exactOptional(),
});

const pauseReason = z.enum([
  "manual",
  "phone_number_inactive",
  "assistant_unpublished",
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
  "policy_refuses_all",
  "list_outdated",
  "eligibility_unavailable",
]);

/** Contacts are encrypted with the key of their campaign. */
const OF_CAMPAIGN = { subject: "campaignId" } as const;
const REJECTED = { ...OF_CAMPAIGN, sealed: ["rejected.items[]"] };

/** The stored form of the events of a campaign, by type. */
export const storedCampaignTypes = {
  ContactsImported: versionOne(
    moment.extend({ importId, firstIndex: z.int(), contacts: z.array(importedContact) }),
    { ...OF_CAMPAIGN, sealed: ["contacts[]"] },
  ),
  CampaignCreated: versionOne(created, REJECTED),
  ContactsAdded: versionOne(moment.extend({ importId, added: z.int(), rejected }), REJECTED),
  ImportAbandoned: versionOne(moment.extend({ importId })),
  CampaignStarted: versionOne(moment.extend({ by: z.literal("system").exactOptional() })),
  CampaignPaused: versionOne(
    moment.extend({
      reason: pauseReason,
      nextWindowOpensAt: instant.nullable(),
      policyVersion: z.int().exactOptional(),
    }),
  ),
  CampaignResumed: versionOne(
    moment.extend({ by: z.enum(["api", "system"]), policyVersion: z.int().exactOptional() }),
  ),
  CampaignSettingsChanged: versionOne(
    moment.extend({ changes: settingsChanges, pins: changedPins.exactOptional() }),
  ),
  ContactDialed: versionOne(dialed),
  ContactSucceeded: versionOne(attemptEnded),
  ContactCallbackScheduled: versionOne(
    moment.extend({
      contactId,
      callId,
      attempt: z.int(),
      endReason,
      durationSeconds: z.number().nullable(),
      cost: creditUnits,
      maxAttempts: z.int(),
      agreedAt: instant,
      callbackAt: instant,
      zone: z.string(),
    }),
  ),
  ContactAttemptFailed: versionOne(
    attemptEnded.extend({
      retryAt: instant.nullable(),
      retryIntervalMillis: z.number().exactOptional(),
      planRow: z.int().exactOptional(),
    }),
  ),
  ContactSkipped: versionOne(
    moment.extend({
      contactId,
      reason: z.enum([
        "suppressed",
        "by_request",
        "outcome_unknown",
        "zone_unknown",
        "no_consent",
        "not_eligible",
      ]),
      outcome: z.enum(["skipped", "failed", "no_retry"]),
      unknownCall: z
        .object({ callId, calledAt: instant, contactWas: z.enum(["pending", "waiting_retry", "dialing"]) })
        .exactOptional(),
      suppression: z
        .object({
          reason: z.string().nullable(),
          createdAt: instant,
          by: z.string().nullable(),
          callId: callId.exactOptional(),
          list: z
            .object({
              id: suppressionListId,
              name: z.string(),
              kind: suppressionListKind,
            })
            .exactOptional(),
        })
        .exactOptional(),
      refusal: z.string().exactOptional(),
      waitedForCallback: z.literal(true).exactOptional(),
    }),
    { ...OF_CAMPAIGN, sealed: ["refusal?"] },
  ),
  ContactHeld: versionOne(
    moment.extend({
      contactId,
      rule: z.enum(["oneCallAtATime", "attemptsPerNumber", "eligibility", "eligibility_unavailable"]),
      until: instant.nullable(),
      heldBy: callId.nullable(),
      policyVersion: z.int(),
      ...compared,
      refusal: z.string().exactOptional(),
    }),
    { ...OF_CAMPAIGN, sealed: ["refusal?"] },
  ),
  CampaignCancelled: versionOne(moment.extend({ hangUpActiveCalls: z.boolean() })),
  CampaignCompleted: versionOne(moment),
  CampaignDeleted: versionOne(moment),
};
