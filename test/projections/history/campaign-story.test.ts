import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { campaignStoryteller } from "../../../projections/history/campaign-story.ts";
import { at, contact, creation, imported, OTHER_ASSISTANT } from "../../domain/campaign/example-campaign.ts";

const campaignId = "cmp_1";
const attempt = {
  contactId: "ctc_1",
  callId: "call_1",
  attempt: 1,
  durationSeconds: null,
  maxAttempts: 3,
} as const;

function told(...events: readonly CampaignEvent[]): readonly string[] {
  const tell = campaignStoryteller();
  const settings = { timezone: "America/New_York", window: { start: 9, end: 18 } };
  const created: CampaignEvent = { type: "CampaignCreated", data: creation(1, settings) };
  return [imported([contact(1, { name: "Zoë" })]), created, ...events].flatMap((event, revision) => {
    const metadata = { correlationId: "c", causationId: null, actor: "a", owner: "usr_1", schemaVersion: 1 };
    const place = {
      id: "e",
      stream: `campaign-${campaignId}`,
      revision,
      position: `${revision}`,
      created: at(0),
    };
    const recorded: RecordedEvent = { ...place, metadata, event };
    return tell(recorded);
  });
}

function dialedIn(window: CallWindow): CampaignEvent {
  const evidence = {
    localTime: "2026-09-01T09:15:00.000-04:00",
    utcOffsetMinutes: -240,
    timezone: "America/New_York",
    window,
    activeCalls: 2,
    effectiveMaxConcurrentCalls: 5,
    availableCredits: 1,
    attempt: 1,
  };
  const dial = { campaignId, at: at(11_700), ...attempt, phoneNumber: "+14155550101", evidence } as const;
  return { type: "ContactDialed", data: { ...dial, dialAt: at(0), dialBy: at(0) } };
}

describe("the story of a campaign", () => {
  it("begins when the creation makes the zone known, and tells what came before in it", () => {
    const [read, created] = told();
    expect(read).toBe("2026-09-01 05:59:58 -04:00  1 contacts read, from place 1 of import imp_1 on");
    expect(created).toContain("between 09:00 and 18:00 in America/New_York");
  });

  it("tells a window with its minutes, days and excluded dates", () => {
    const window = { start: 9, end: 18, endMinute: 30, days: [1, 2], excludedDates: ["2026-12-25"] };
    const changed = told({ type: "CampaignCreated", data: creation(1, { window }) }).at(-1);
    expect(changed).toContain("between 09:00 and 18:30 on Mon, Tue, not on 2026-12-25 in Europe/Istanbul");
    const wholeDays = { start: 0, end: 0, days: [6, 7] };
    const created = told({ type: "CampaignCreated", data: creation(1, { window: wholeDays }) }).at(-1);
    expect(created).toContain("at any hour on Sat, Sun in Europe/Istanbul");
    expect(told(dialedIn(window)).at(-1)).toContain(
      "window 09:00–18:30 on Mon, Tue, not on 2026-12-25, call 2 of",
    );
    expect(told(dialedIn(wholeDays)).at(-1)).toContain("window of whole days on Sat, Sun, call 2 of");
  });

  it("tells who was dialled, with the proof that it was allowed", () => {
    const line = told(dialedIn({ start: 9, end: 18 })).at(-1);
    expect(line).toBe(
      "2026-09-01 09:15:00 -04:00  Zoë (+14155550101) dialled, attempt 1, call_1: 09:15 in America/New_York, window 09:00–18:00, call 2 of at most 5 at once",
    );
  });

  it("tells why somebody was not reached, and when the next attempt is", () => {
    const failed = { campaignId, at: at(0), ...attempt, endReason: "no_answer", retryAt: at(300) } as const;
    expect(told({ type: "ContactAttemptFailed", data: failed }).at(-1)).toContain(
      "Zoë (+14155550101) was not reached: no answer, attempt 1 of at most 3; to be called again at 2026-09-01 06:05:00 -04:00",
    );
    const final = { ...failed, retryAt: null };
    expect(told({ type: "ContactAttemptFailed", data: final }).at(-1)).toMatch(/not called again$/);
  });

  it("tells the reason of a pause and the opening of the window", () => {
    const data = {
      campaignId,
      at: at(0),
      reason: "outside_call_window",
      nextWindowOpensAt: at(10_800),
    } as const;
    expect(told({ type: "CampaignPaused", data }).at(-1)).toBe(
      "2026-09-01 06:00:00 -04:00  paused: nobody may be called at this hour; the window opens at 2026-09-01 09:00:00 -04:00",
    );
  });

  const who = "Zoë (+14155550101)";
  const moment = { campaignId, at: at(0) } as const;
  const skipped = { ...moment, contactId: "ctc_1", reason: "by_request", outcome: "skipped" } as const;
  const suppression = { reason: null, createdAt: at(-9), by: null, callId: "call_8" } as const;
  const unknownCall = { callId: "call_9", calledAt: at(60), contactWas: "pending" } as const;

  it.each<[CampaignEvent, string]>([
    [{ type: "CampaignStarted", data: moment }, "started"],
    [{ type: "CampaignCompleted", data: moment }, "completed: nobody is left to call"],
    [{ type: "CampaignResumed", data: { ...moment, by: "api" } }, "resumed by its owner"],
    [
      { type: "CampaignResumed", data: { ...moment, by: "system" } },
      "resumed by itself: the reason of the pause is gone",
    ],
    [{ type: "CampaignDeleted", data: moment }, "deleted by its owner before it began"],
    [
      { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: true } },
      "cancelled: nobody else is called, and live calls are ended",
    ],
    [
      { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: false } },
      "cancelled: nobody else is called; live calls go on to their end",
    ],
    [
      { type: "CampaignPaused", data: { ...moment, reason: "manual", nextWindowOpensAt: null } },
      "paused: by its owner; only a resume ends it",
    ],
    [
      { type: "CampaignSettingsChanged", data: { ...moment, changes: { maxRetries: 4, name: "Two" } } },
      'settings changed: maxRetries is now 4, name is now "Two"',
    ],
    [
      {
        type: "CampaignSettingsChanged",
        data: {
          ...moment,
          changes: {},
          pins: { from: "+15005550111", greetingMessage: "Hi", specialInstructions: null, placeholders: 3 },
        },
      },
      "from now on called from +15005550111, another greeting, other instructions",
    ],
    [
      {
        type: "CampaignSettingsChanged",
        data: {
          ...moment,
          changes: { maxRetries: 4 },
          pins: { assistant: OTHER_ASSISTANT },
        },
      },
      "settings changed: maxRetries is now 4; from now on called by Bo (version 7)",
    ],
    [
      { type: "ImportAbandoned", data: { ...moment, importId: "imp_2" } },
      "import imp_2 was never finished: its contacts do not count",
    ],
    [
      {
        type: "ContactsAdded",
        data: { ...moment, importId: "imp_2", added: 3, rejected: { count: 2, items: [] } },
      },
      "3 contacts added (2 refused)",
    ],
    [
      { type: "ContactSucceeded", data: { ...moment, ...attempt, endReason: "customer_ended" } },
      `${who} was reached: customer ended after no time`,
    ],
    [
      {
        type: "ContactSucceeded",
        data: { ...moment, ...attempt, endReason: "customer_ended", durationSeconds: 61.2 },
      },
      `${who} was reached: customer ended after 61 s`,
    ],
    [{ type: "ContactSkipped", data: skipped }, `${who} is not called: by request`],
    [
      { type: "ContactSkipped", data: { ...skipped, reason: "suppressed", outcome: "failed" } },
      `${who} is not called again: the number is on the do-not-call list`,
    ],
    [
      { type: "ContactSkipped", data: { ...skipped, reason: "suppressed", suppression } },
      `${who} is not called: the number is on the do-not-call list by the call call_8`,
    ],
    [
      { type: "ContactSkipped", data: { ...skipped, outcome: "no_retry" } },
      `${who} is not called again after the live call: by request`,
    ],
    [{ type: "ContactSkipped", data: { ...skipped, contactId: "ctc_7" } }, "ctc_7 is not called: by request"],
    [
      {
        type: "ContactSkipped",
        data: { ...skipped, reason: "outcome_unknown", outcome: "failed", unknownCall },
      },
      `${who} is not called again: already called by a call that this log does not know, call_9 at 2026-09-01 06:01:00 -04:00; what it came to is unknown, the log was restored`,
    ],
  ])("tells what happened in words", (event, words) => {
    expect(told(event).at(-1)).toBe(`2026-09-01 06:00:00 -04:00  ${words}`);
  });

  it("goes on in the zone that the settings change to", () => {
    const changes = { timezone: "Europe/Berlin" };
    const lines = told(
      { type: "CampaignSettingsChanged", data: { ...moment, changes } },
      { type: "CampaignCompleted", data: moment },
    );
    expect(lines.at(-1)).toBe("2026-09-01 12:00:00 +02:00  completed: nobody is left to call");
  });
});
