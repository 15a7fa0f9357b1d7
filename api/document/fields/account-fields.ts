import type { FieldTable } from "./field-table.ts";

const KEY = "The key itself; shown this once, null in a repeated answer";
const PLAN = {
  plan: "What this owner may do at once",
  "plan.maxConcurrentCalls": "Number of calls at once",
  "plan.maxCallsPerSecond": "New calls a second",
  "plan.maxModelTokensPerDay":
    "Number of tokens that language models may read and write on a UTC day; null: no limit",
};

const RETENTION = {
  retention: "For how long what is said on calls, and recordings, are kept",
  "retention.contentDays": "Number of days from a call's end, 1 to 3650; null: for ever",
};

/** Accounts, keys, owners and the do-not-call list. */
export const ACCOUNT_FIELDS: readonly FieldTable[] = [
  {
    of: ["TopUpRequest"],
    fields: {
      amount: "Credits to add, with at most 4 decimals",
      reference: "Your name for this top-up; the same one again adds nothing",
      userId: "Id of the owner that gets them; left out: your own",
    },
  },
  {
    of: ["AccountChanges", "Account"],
    fields: RETENTION,
  },
  {
    of: ["Account"],
    fields: {
      ...PLAN,
      id: "Id of the owner",
      balance: "Credits, with 4 decimals; below 0 when calls ran on",
      reserved: "Credits held for calls that have not ended",
      available: "Credits that new calls can use: balance less reserved",
      currency: "Always `credits`",
    },
  },
  {
    of: ["LedgerEntry"],
    fields: {
      id: "Id of the entry",
      at: "When it was written; ISO 8601, UTC",
      cause: "What moved: top_up and charge the balance, reserve and release what is held",
      amount: "Credits that moved, above 0",
      balance: "Credits after it",
      reserved: "Credits held after it",
      callId: "Id of the call that it is for; null: none",
      reference: "The name that the top-up was given; null: not a top-up",
    },
  },
  {
    of: ["Limits"],
    fields: {
      maxConcurrentCalls: "Number of calls at once",
      activeCalls: "Number of calls that have not ended",
      maxCallsPerSecond: "New calls a second",
      requestsPerSecond: "Requests a second that one key may send; 0: no limit",
    },
  },
  {
    of: ["Usage"],
    fields: {
      days: "A row for each day, oldest first, also for days without a call",
      "days.day": "The UTC day on which the calls were created",
      "days.calls": "Number of calls, answered or not",
      "days.talkSeconds": "Seconds from answer to end, of all calls that have ended",
      "days.inputTokens": "Number of tokens that language models read",
      "days.outputTokens": "Number of tokens that language models wrote",
    },
  },
  {
    of: ["ApiKeyRequest", "ApiKey", "IssuedApiKey"],
    fields: {
      name: "What the key is for",
      scopes: "What the key may do",
      expiresAt: "Until when it works; ISO 8601; null: without end",
    },
  },
  {
    of: ["ApiKey", "IssuedApiKey"],
    fields: { id: "Id of the key", lastUsedAt: "When it was used last; ISO 8601, UTC; null: never" },
  },
  { of: ["IssuedApiKey"], fields: { key: KEY } },
  { of: ["UserRequest", "UserChanges", "User"], fields: { ...PLAN, name: "Name of the owner" } },
  { of: ["UserRequest"], fields: { credits: "Credits to begin with, with at most 4 decimals" } },
  {
    of: ["UserChanges", "User"],
    fields: { active: "false: its keys are refused, and its campaigns dial nobody" },
  },
  { of: ["User"], fields: { id: "Id of the owner" } },
  {
    of: ["NewUser"],
    fields: {
      user: "The new owner",
      apiKey: "Its first key",
      "apiKey.id": "Id of the key",
      "apiKey.name": "What the key is for",
      "apiKey.scopes": "What the key may do",
      "apiKey.key": KEY,
    },
  },
  { of: ["createAdminKey"], fields: { "body.name": "What the key is for" } },
  { of: ["revokeApiKey"], fields: { "data.id": "Id of what is gone" } },
  {
    of: ["SuppressionRequest", "Suppression"],
    fields: {
      phoneNumber: "The number that is not called, E.164",
      reason: "Why it is not called; null: not said",
    },
  },
  {
    of: ["SuppressionReport"],
    fields: {
      "rejected.count": "Number of items that were left out",
      "rejected.items": "The first 100 of them",
      "rejected.items.phoneNumber": "The number as it was given",
      "rejected.items.reason": "Why it can be no number",
    },
  },
  { of: ["deleteSuppression"], fields: { "data.phoneNumber": "The number that may be called again, E.164" } },
];
