import type { FieldTable } from "./field-table.ts";

const REJECTED = {
  rejectedContacts: "Contacts that were left out",
  "rejectedContacts.count": "Number of contacts left out",
  "rejectedContacts.items": "The first 100 of them",
  "rejectedContacts.items.index": "Place in the request, counted from 0",
  "rejectedContacts.items.phoneNumber": "The number as it was given; null: there was none",
  "rejectedContacts.items.reason": "Why: not_e164, not_possible, duplicate, text_too_long and the like",
  "rejectedContacts.items.line": "Line of the file on which the row begins, counted from 1",
};

const DUPLICATES = {
  duplicateContacts: "Numbers that occur more than once",
  "duplicateContacts.count": "Number of contacts that repeat an earlier one",
  "duplicateContacts.items": "The first 100 of them",
  "duplicateContacts.items.index": "Place in the request, counted from 0",
  "duplicateContacts.items.phoneNumber": "The number that occurred before",
};

const COUNTS = {
  totalContacts: "Number of contacts that were accepted",
  successfulCalls: "Number of contacts that were reached",
  failedCalls: "Number of contacts given up: no attempt is left, or none would help",
};

export const CAMPAIGN_FIELDS: readonly FieldTable[] = [
  {
    of: ["CampaignRequest", "CampaignChanges", "Campaign"],
    fields: {
      name: "Name of the campaign, 1 to 255 characters",
      maxConcurrentCalls: "Number of calls at once, at most; null: as many as the plan allows",
      maxRetries: "Number of further attempts after the first one fails; null: 3",
      retryIntervalMins: "Minutes from the end of a failed attempt to the next one; null: 5",
      retryOn:
        "Ends of a call after which the contact is called again; an empty list: none. An attempt that the carrier never had (`not_placed`) is repeated whatever it says",
      timezone: "IANA time zone in which the call window is judged; a contact's own goes before it",
      callWindowStart: "First hour (0 to 23, local) in which people may be called; null: at any time",
      callWindowEnd: "Hour (0 to 23, local) from which nobody is called any more; null: at any time",
      callWindowStartMinute: "Minutes after callWindowStart at which the window opens",
      callWindowEndMinute: "Minutes after callWindowEnd at which it closes",
      callWindowExcludedDates: "Local dates of each contact on which nobody is called",
    },
  },
  {
    of: ["CampaignRequest", "CampaignChanges"],
    fields: { maxCallsPerSecond: "New calls a second, at most; null: as many as the plan allows" },
  },
  {
    of: ["CampaignRequest"],
    fields: {
      assistantId: "Id of a published assistant; its version of now stays this campaign's",
      squadId: "Id of a squad; `assistantId` is then one of its members and speaks first",
      greetingMessage: "The first words; {{name}} is filled from each contact; at most 4 KiB",
      specialInstructions: "Instructions; {{key}} is filled from each contact's customData; at most 32 KiB",
      metadata: "A JSON object of your own, at most 16 KiB; it comes back in every call and webhook",
      ringTimeoutSeconds: "Seconds that it may ring (default 60)",
    },
  },
  {
    of: ["CampaignRequest", "AddContactsRequest"],
    fields: {
      contacts: "Whom to call, 1 to 10,000",
      skipDuplicates: "true: of equal numbers only the first is called (default false)",
    },
  },
  {
    of: ["ContactRequest", "Contact"],
    fields: {
      phoneNumber: "The number to call, E.164",
      name: "Fills {{name}}; null: none",
      customData: "A JSON object, at most 16 KiB, whose values fill the placeholders",
      timezone: "IANA time zone of this contact; left out or null: the campaign's",
      externalId: "Your own id of this contact; null: none",
    },
  },
  {
    of: ["Campaign"],
    fields: {
      ...COUNTS,
      id: "Id of the campaign",
      status: "What the campaign does now",
      assistantVersion: "Version of the assistant that talks, counted from 1",
      pendingCalls: "Number of contacts still to be called, those that wait for a retry among them",
      activeCalls: "Number of contacts that are in a call now",
      skippedContacts: "Number of contacts that were never called and never will be",
      effectiveMaxConcurrentCalls: "Number of calls at once after the plan is taken into account",
      pauseReason: "Why it is PAUSED; null: it is not",
      nextWindowOpensAt: "When the next call window opens; ISO 8601, UTC; null: it is open, or unknown",
      metadata: "What the creation was given, with greetingMessage and specialInstructions",
      startedAt: "When it was started; ISO 8601, UTC; null: not yet",
      completedAt: "When it was COMPLETED; ISO 8601, UTC; null: not yet",
    },
  },
  {
    of: ["CampaignStatistics"],
    fields: {
      ...COUNTS,
      pendingContacts: "Number of contacts still to be called",
      waitingRetry: "Number of contacts that wait for their next attempt",
      averageCallDuration: "Mean seconds of the completed calls; null: there is none yet",
    },
  },
  {
    of: ["CampaignReport", "CampaignImportReport", "CampaignImportAnswer"],
    fields: { ...REJECTED, ...DUPLICATES },
  },
  {
    of: ["CampaignImportReport", "CampaignImportAnswer"],
    fields: {
      "normalized.count": "Number of cells that were read as a number of the country",
      "normalized.items": "The first 100 of them",
      "normalized.items.to": "The number that it was read as, E.164",
    },
  },
  {
    of: ["CampaignPreviewRequest"],
    fields: {
      greetingMessage: "The first words; {{name}} is filled from each contact; at most 4 KiB",
      specialInstructions: "Instructions; {{key}} is filled from each contact's customData; at most 32 KiB",
      contacts: "Whose values fill the texts, at most 20",
      "contacts.phoneNumber": "The number of the contact; nobody is called",
      "contacts.name": "Fills {{name}}",
      "contacts.customData": "A JSON object, at most 16 KiB, whose values fill the placeholders",
      "contacts.timezone": "IANA time zone of the contact",
      "contacts.externalId": "Your own id of the contact",
    },
  },
  { of: ["CampaignPreview"], fields: { items: "The texts as they would be said, a contact each" } },
  {
    of: ["CampaignWarning"],
    fields: { code: "What it warns of, for a program", message: "The same in words, for a person" },
  },
  { of: ["ContactsAdded"], fields: REJECTED },
  { of: ["CampaignImportReport"], fields: { totalContacts: "Number of contacts that would be accepted" } },
  {
    of: ["Contact"],
    fields: {
      id: "Id of the contact",
      status: "What happened to this contact so far",
      attempts: "Every attempt to reach it, in order",
      "attempts.attempt": "Number of the attempt, counted from 1",
      "attempts.callId": "Id of its call",
      "attempts.startedAt": "When it was dialled; ISO 8601, UTC",
      "attempts.status": "How far the call has come",
      nextAttemptAt: "When it is called again at the earliest; ISO 8601, UTC; null: no time is set",
    },
  },
  {
    of: ["cancelCampaign"],
    fields: { "body.hangUpActiveCalls": "true: live calls are ended as well (default false)" },
  },
  {
    of: ["importCampaign"],
    fields: { "body.file": "The CSV file, with its column names in the first line" },
  },
];
