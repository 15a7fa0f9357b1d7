import type { AuditRule } from "../../../application/audit/broken-rule.ts";
import type { CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import type { RetryPlanRow } from "../../../domain/campaign/settings.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { at, campaignId, contact } from "../../domain/campaign/example-campaign.ts";

import { added, both, changed, evidence, missing, moved, type Plant, twice } from "./plant.ts";

const moment = { campaignId, at: at(5) };
export const pause: CampaignEvent = {
  type: "CampaignPaused",
  data: { ...moment, reason: "manual", nextWindowOpensAt: null },
};
const resumed: CampaignEvent = { type: "CampaignResumed", data: { ...moment, by: "api" } };
const cancelled: CampaignEvent = { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: false } };
const deletedCampaign: CampaignEvent = { type: "CampaignDeleted", data: moment };
const settings = (changes: object): CampaignEvent => ({
  type: "CampaignSettingsChanged",
  data: { ...moment, changes },
});
export const optedOut = (callId: CallId): DomainEvent => ({
  type: "CallOptedOut",
  data: { callId, at: at(300), by: "words", messageIndex: 1, saidAt: at(30) },
});

const skip = (number: number, outcome: "skipped" | "failed" | "no_retry"): CampaignEvent => ({
  type: "ContactSkipped",
  data: { ...moment, contactId: `ctc_${number}`, reason: "suppressed", outcome },
});
const paused = (change: CampaignEvent): Plant =>
  both(
    added(resumed, "before", "ContactDialed", 0),
    both(added(change, "before", "CampaignResumed", 0), added(pause, "before", "CampaignSettingsChanged", 0)),
  );

/** The campaign had another window all along. */
const window = (other: CallWindow): Plant =>
  changed("CampaignCreated", 0, (data) => ({ settings: { ...data.settings, window: other } }));

/** The campaign had a plan of one row all along. */
const plan = (row: Partial<RetryPlanRow>): Plant =>
  changed("CampaignCreated", 0, (data) => ({
    settings: {
      ...data.settings,
      retryPlan: [{ endReasons: ["busy"], afterMins: [5], sameDay: true, ...row }],
    },
  }));
/** The retry is told to be by that row. */
const byRow = (change: object): Plant =>
  changed("ContactAttemptFailed", 0, () => ({ planRow: 0, retryIntervalMillis: 300_000, ...change }));

/**
 * What a service that broke a rule would have written into the history of `wholeStory`, and
 * the rule that it broke.
 */
export const PLANTED: readonly (readonly [problem: string, rule: AuditRule, plant: Plant])[] = [
  ["a chunk of the import was lost", "import-sealed", missing("ContactsImported")],
  [
    "a seal counts more than there are",
    "import-sealed",
    changed("CampaignCreated", 0, () => ({ totalContacts: 4 })),
  ],
  ["a chunk stands twice", "import-sealed", twice("ContactsImported")],
  ["a chunk comes after the seal", "import-sealed", moved("ContactsImported", 0, "CampaignStarted", 0)],
  [
    "an abandoned import is sealed",
    "import-sealed",
    added({ type: "ImportAbandoned", data: { ...moment, importId: "imp_1" } }, "before", "CampaignCreated"),
  ],
  [
    "a sealed import is abandoned",
    "import-sealed",
    added({ type: "ImportAbandoned", data: { ...moment, importId: "imp_1" } }, "after", "CampaignCreated"),
  ],
  [
    "contacts come to a campaign that is over",
    "import-sealed",
    added(
      {
        type: "ContactsAdded",
        data: { ...moment, importId: "imp_2", added: 0, rejected: { count: 0, items: [] } },
      },
      "after",
      "CampaignCompleted",
    ),
  ],
  ["it starts twice", "status-legal", twice("CampaignStarted")],
  [
    "it starts by itself without a time for it",
    "start-in-time",
    changed("CampaignStarted", 0, () => ({ by: "system" })),
  ],
  [
    "it starts by itself before its time",
    "start-in-time",
    both(
      changed("CampaignCreated", 0, (data) => ({ settings: { ...data.settings, startAt: at(0.001) } })),
      changed("CampaignStarted", 0, () => ({ by: "system" })),
    ),
  ],
  ["its time changes after the start", "status-legal", paused(settings({ startAt: at(900) }))],
  [
    "it starts again after a pause",
    "status-legal",
    both(
      added(pause, "before", "ContactDialed"),
      added({ type: "CampaignStarted", data: moment }, "before", "ContactDialed"),
    ),
  ],
  ["it is resumed before it started", "status-legal", added(resumed, "before", "CampaignStarted")],
  ["it goes on after its completion", "status-legal", added(pause, "after", "CampaignCompleted")],
  [
    "it is deleted after its completion",
    "status-legal",
    added(deletedCampaign, "after", "CampaignCompleted"),
  ],
  ["it goes on after its deletion", "status-legal", added(deletedCampaign, "before", "CampaignStarted")],
  ["it is cancelled after its completion", "status-legal", added(cancelled, "after", "CampaignCompleted")],
  [
    "settings change while it runs",
    "status-legal",
    added(settings({ name: "Other" }), "before", "ContactDialed"),
  ],
  [
    "somebody is dialled before the start",
    "dial-only-while-running",
    moved("CampaignStarted", 0, "CampaignCompleted", 0),
  ],
  [
    "somebody is dialled after a pause",
    "dial-only-while-running",
    added(pause, "before", "ContactDialed", 2),
  ],
  [
    "somebody is dialled after a cancel",
    "dial-only-while-running",
    added(cancelled, "before", "ContactDialed", 3),
  ],
  ["the window was closed", "dial-in-window", window({ start: 14, end: 18 })],
  ["the window's last hour was over", "dial-in-window", window({ start: 9, end: 13 })],
  [
    "the window's first minute had not come",
    "dial-in-window",
    window({ start: 13, startMinute: 1, end: 18 }),
  ],
  ["the window's last minute was over", "dial-in-window", window({ start: 9, end: 15, endMinute: 31 })],
  [
    "the window does not begin on that weekday",
    "dial-in-window",
    window({ start: 9, end: 18, days: [1, 3] }),
  ],
  [
    "the night before began on no weekday of the window",
    "dial-in-window",
    window({ start: 22, end: 20, days: [2] }),
  ],
  ["the date is excluded", "dial-in-window", window({ start: 0, end: 0, excludedDates: ["2026-09-01"] })],
  [
    "the night before began on an excluded date",
    "dial-in-window",
    window({ start: 22, end: 20, excludedDates: ["2026-08-31"] }),
  ],
  [
    "the window was closed where the contact lives",
    "dial-in-window",
    changed("ContactsImported", 0, ({ contacts }) => ({
      contacts: contacts.map((each) => ({ ...each, timezone: "Asia/Tokyo" })),
    })),
  ],
  [
    "the zone is not known",
    "dial-in-window",
    changed("CampaignCreated", 0, (data) => ({ settings: { ...data.settings, timezone: "Mars/Olympus" } })),
  ],
  [
    "the window had closed when the dial began",
    "dial-in-window",
    both(
      changed("ContactDialed", 0, () => ({ dialBy: at(40_000) })),
      changed("CallDialingBegan", 0, () => ({ at: at(5 * 3_600) })),
    ),
  ],
  [
    "the date was over when the dial began",
    "dial-in-window",
    both(
      changed("ContactDialed", 0, ({ evidence: told }) => ({
        dialBy: at(90_000),
        evidence: { ...told, window: { start: 0, end: 0, days: [2] } },
      })),
      changed("CallDialingBegan", 0, () => ({ at: at(11 * 3_600) })),
    ),
  ],
  ["one more than the campaign's cap", "dial-under-cap", paused(settings({ maxConcurrentCalls: 1 }))],
  [
    "one more than the cap of the evidence",
    "dial-under-cap",
    evidence(1, { effectiveMaxConcurrentCalls: 1 }),
  ],
  [
    "the evidence names another local time",
    "dial-evidence",
    evidence(0, { localTime: "2026-09-01T12:00:03.000+03:00" }),
  ],
  [
    "the evidence's local time is of another moment",
    "dial-evidence",
    evidence(0, { localTime: "2026-09-01T13:00:03.000+04:00" }),
  ],
  ["the evidence names another offset", "dial-evidence", evidence(0, { utcOffsetMinutes: 120 })],
  ["the evidence names another zone", "dial-evidence", evidence(0, { timezone: "Europe/Athens" })],
  ["the evidence names another window", "dial-evidence", evidence(0, { window: { start: 9, end: 19 } })],
  [
    "the evidence names days that the window has not",
    "dial-evidence",
    evidence(0, { window: { start: 9, end: 18, days: [2] } }),
  ],
  ["the evidence counts other calls", "dial-evidence", evidence(1, { activeCalls: 1 })],
  ["the evidence names a higher cap", "dial-evidence", evidence(0, { effectiveMaxConcurrentCalls: 3 })],
  ["there were no credits", "dial-evidence", evidence(0, { availableCredits: -1 })],
  ["the evidence names another attempt", "dial-evidence", evidence(0, { attempt: 2 })],
  ["an attempt is dialled twice", "dial-once-per-attempt", twice("ContactDialed", 0)],
  ["a contact in a call is dialled again", "dial-once-per-attempt", missing("ContactAttemptFailed", 0)],
  ["an attempt is left out", "dial-once-per-attempt", changed("ContactDialed", 3, () => ({ attempt: 3 }))],
  [
    "two contacts share a call",
    "dial-once-per-attempt",
    changed("ContactDialed", 1, () => ({ callId: "call_1" })),
  ],
  [
    "a number is in two calls",
    "number-once-at-a-time",
    both(
      changed("ContactsImported", 0, ({ contacts }) => ({
        contacts: contacts.map((each) => ({ ...each, phoneNumber: "+14155550101" })),
      })),
      changed("ContactDialed", 1, () => ({ phoneNumber: "+14155550101" })),
    ),
  ],
  [
    "a suppressed contact is dialled",
    "no-dial-after-skip",
    added(skip(3, "skipped"), "before", "ContactDialed", 2),
  ],
  [
    "a contact that waits is skipped and dialled",
    "no-dial-after-skip",
    added(skip(2, "failed"), "before", "ContactDialed", 3),
  ],
  [
    "a contact is skipped in its call and dialled again",
    "no-dial-after-skip",
    added(skip(2, "no_retry"), "before", "CallFailed", 0),
  ],
  [
    "whoever asked never to be called again is dialled",
    "no-dial-after-opt-out",
    added(optedOut("call_2"), "after", "CallFailed", 0),
  ],
  [
    "a contact that succeeded is dialled again",
    "no-dial-when-done",
    changed("ContactDialed", 3, () => ({ contactId: "ctc_1", phoneNumber: "+14155550101" })),
  ],
  [
    "a contact that failed for good is dialled again",
    "no-dial-when-done",
    changed("ContactAttemptFailed", 0, () => ({ retryAt: null })),
  ],
  [
    "a skipped contact is dialled",
    "no-dial-when-done",
    added(skip(3, "skipped"), "before", "ContactDialed", 2),
  ],
  [
    "a retry is dialled too early",
    "no-dial-before-due",
    changed("ContactDialed", 3, () => ({ at: at(349) })),
  ],
  [
    "a retry beyond the budget is promised",
    "retry-within-budget",
    changed("CampaignCreated", 0, (data) => ({ settings: { ...data.settings, maxRetries: 0 } })),
  ],
  [
    "the outcome tells another budget",
    "retry-within-budget",
    changed("ContactAttemptFailed", 0, () => ({ maxAttempts: 3 })),
  ],
  [
    "a reason that is never retried is",
    "retry-allowed",
    changed("ContactAttemptFailed", 1, () => ({ retryAt: at(9_999) })),
  ],
  [
    "a retry is promised after a cancel",
    "retry-allowed",
    added(cancelled, "before", "ContactAttemptFailed", 0),
  ],
  [
    "a retry is promised after a skip",
    "retry-allowed",
    added(skip(2, "no_retry"), "before", "CallFailed", 0),
  ],
  [
    "a retry is due too early",
    "retry-after-interval",
    changed("ContactAttemptFailed", 0, () => ({ retryAt: at(349) })),
  ],
  ["a retry is by no row of the plan that there was", "retry-by-plan", plan({ endReasons: ["busy"] })],
  [
    "a retry is by a row that does not name its reason",
    "retry-by-plan",
    both(plan({ endReasons: ["no_answer"] }), byRow({})),
  ],
  [
    "a retry does not tell the interval of its row",
    "retry-by-plan",
    both(
      plan({ endReasons: ["busy"] }),
      changed("ContactAttemptFailed", 0, () => ({ planRow: 0 })),
    ),
  ],
  ["a retry waits longer than its row says", "retry-by-plan", both(plan({}), byRow({ retryAt: at(351) }))],
  [
    "a retry waits other minutes than its row says",
    "retry-after-interval",
    both(plan({ afterMins: [5, 7] }), byRow({ retryIntervalMillis: 300_001 })),
  ],
  ["a retry is due on the same day", "retry-by-plan", both(plan({ sameDay: false }), byRow({}))],
  [
    "a retry is due a day too late",
    "retry-by-plan",
    both(plan({ sameDay: false }), byRow({ retryAt: "2026-09-03T06:00:00.000Z" })),
  ],
  ["a call has no dial", "call-has-dial", missing("ContactDialed", 2)],
  ["a call was there before its dial", "call-has-dial", moved("CallRequested", 2, "ContactDialed", 2)],
  [
    "somebody is dialled who is no contact",
    "call-has-dial",
    changed("ContactDialed", 2, () => ({ contactId: "ctc_9" })),
  ],
  [
    "a contact is dialled at another number",
    "call-has-dial",
    changed("ContactDialed", 2, () => ({ phoneNumber: "+14155550199" })),
  ],
  [
    "a call goes to another number",
    "call-has-dial",
    changed("CallRequested", 2, () => ({ to: "+14155550199" })),
  ],
  [
    "a call is made from another number",
    "line-as-pinned",
    changed("CallRequested", 1, () => ({ from: "+15005550199" })),
  ],
  [
    "a call is made by another version of the assistant",
    "line-as-pinned",
    changed("CallRequested", 1, ({ assistant }) => ({ assistant: { ...assistant, assistantVersion: 2 } })),
  ],
  [
    "a call says something else",
    "texts-as-pinned",
    changed("CallRequested", 1, () => ({ greetingMessage: "Hi" })),
  ],
  [
    "a call is dialled without what was to be said",
    "texts-as-pinned",
    changed("CallRequested", 1, () => ({ greetingMessage: "" })),
  ],
  [
    "a call says more than the limit",
    "texts-as-pinned",
    changed("CampaignCreated", 0, () => ({ placeholders: 2, greetingMessage: "x".repeat(4_097) })),
  ],
  ["a call is of another attempt", "call-has-dial", changed("CallRequested", 2, () => ({ attempt: 2 }))],
  [
    "a call is of another contact",
    "call-has-dial",
    changed("CallRequested", 2, () => ({ contactId: "ctc_1" })),
  ],
  [
    "a call is of another campaign",
    "call-has-dial",
    changed("CallRequested", 2, () => ({ campaignId: "cmp_2" })),
  ],
  [
    "a call may be dialled longer",
    "call-has-dial",
    changed("CallRequested", 2, () => ({ dialBy: at(1_000) })),
  ],
  ["the dial was not written down", "written-ahead", missing("CallDialingBegan", 0)],
  ["the dial was written down later", "written-ahead", moved("CallDialingBegan", 0, "CallCompleted", 0)],
  ["a call is dialled twice", "written-ahead", twice("CallDialingBegan", 0)],
  ["a call is dialled too late", "written-ahead", changed("CallDialingBegan", 0, () => ({ at: at(18) }))],
  [
    "a call is dialled elsewhere",
    "dialled-as-requested",
    changed("CallDialingBegan", 0, () => ({
      carrier: { kind: "twilio", connectionId: "conn_2", instance: "AC1" },
    })),
  ],
  ["a call was never requested", "call-only-forward", missing("CallRequested", 0)],
  ["a call goes back", "call-only-forward", moved("CallConnected", 0, "ContactSucceeded", 0)],
  ["a call ends twice", "call-only-forward", twice("CallCompleted", 0)],
  [
    "a call is ended after its end",
    "call-only-forward",
    added(
      { type: "CallEndRequested", data: { callId: "call_1", at: at(41), by: "api", reason: "api" } },
      "after",
      "CallCompleted",
    ),
  ],
  [
    "a suppressed number was dialled",
    "suppressed-not-dialled",
    changed("CallFailed", 0, () => ({ endReason: "suppressed" })),
  ],
  ["an attempt has two outcomes", "outcome-matches-call", twice("ContactSucceeded", 0)],
  [
    "an outcome has no call",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ callId: "call_9" })),
  ],
  [
    "an outcome comes before the end",
    "outcome-matches-call",
    moved("ContactSucceeded", 0, "CallCompleted", 0),
  ],
  [
    "an outcome tells another reason",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ endReason: "assistant_ended" })),
  ],
  [
    "an outcome tells other seconds",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ durationSeconds: 11 })),
  ],
  [
    "an outcome tells another cost",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ cost: 1 })),
  ],
  [
    "an outcome is of another contact",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ contactId: "ctc_2" })),
  ],
  [
    "an outcome is of another attempt",
    "outcome-matches-call",
    changed("ContactSucceeded", 0, () => ({ attempt: 2 })),
  ],
  [
    "a failure is told as success",
    "outcome-matches-call",
    both(
      changed("CallCompleted", 0, () => ({ endReason: "busy" })),
      changed("ContactSucceeded", 0, () => ({ endReason: "busy" })),
    ),
  ],
  ["it completes while somebody is in a call", "counts-add-up", missing("ContactSucceeded", 1)],
  [
    "it completes while somebody was never called",
    "counts-add-up",
    moved("CampaignCompleted", 0, "ContactDialed", 2),
  ],
  [
    "somebody is skipped as if never called",
    "counts-add-up",
    added(skip(2, "skipped"), "before", "ContactDialed", 3),
  ],
  [
    "somebody is skipped who is done",
    "counts-add-up",
    added(skip(1, "failed"), "before", "ContactDialed", 3),
  ],
  [
    "somebody is skipped who is no contact",
    "counts-add-up",
    added(skip(9, "skipped"), "before", "ContactDialed", 3),
  ],
  ["contacts are left when it is over", "counts-add-up", missing("ContactDialed", 2)],
  ["the campaign was never created", "status-legal", missing("CampaignCreated")],
  [
    "settings change before there is a campaign",
    "status-legal",
    added(settings({}), "before", "CampaignCreated"),
  ],
  ["it is created twice", "import-sealed", twice("CampaignCreated")],
  ["a contact is imported twice", "import-sealed", extra([{ ...contact(1), contactId: "ctc_1" }])],
  ["a chunk leaves a gap", "import-sealed", changed("ContactsImported", 0, () => ({ firstIndex: 1 }))],
  [
    "contacts come after a cancel",
    "counts-add-up",
    both(
      both(extra([contact(4)]), added(cancelled, "before", "ContactsImported", 1)),
      missing("CampaignCompleted"),
    ),
  ],
  [
    "somebody in a call is skipped as failed",
    "counts-add-up",
    added(skip(2, "failed"), "before", "CallFailed", 0),
  ],
  [
    "a call is recorded before its dial",
    "written-ahead",
    moved("CallDialingBegan", 0, "ContactSucceeded", 0),
  ],
  [
    "somebody is dialled although there is no campaign",
    "dial-only-while-running",
    both(missing("CampaignCreated"), missing("CampaignStarted")),
  ],
];

/** Another import, right after the start. */
export function extra(contacts: readonly ImportedContact[]): Plant {
  const chunk: CampaignEvent = {
    type: "ContactsImported",
    data: { ...moment, importId: "imp_2", firstIndex: 0, contacts },
  };
  const seal: CampaignEvent = {
    type: "ContactsAdded",
    data: { ...moment, importId: "imp_2", added: contacts.length, rejected: { count: 0, items: [] } },
  };
  return both(added(seal, "after", "CampaignStarted"), added(chunk, "after", "CampaignStarted"));
}
