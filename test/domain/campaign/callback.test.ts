import { describe, expect, it } from "vitest";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { countDue, dueContacts, nextDueAt } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import {
  at,
  attemptEnded,
  callbackScheduled,
  campaignId,
  contact,
  dialed,
  failed,
  granted,
  paused,
  running,
  succeeded,
} from "./example-campaign.ts";

const stateOf = (events: readonly CampaignEvent[]) =>
  fold(campaignDecider, campaignDecider.initialState(), events);

const AGREED = { callbackAt: at(3_600), agreedAt: at(40), maxPerContact: 2 };

type Ended = {
  readonly settings?: Partial<CampaignSettings>;
  readonly before?: readonly CampaignEvent[];
  readonly callback?: { callbackAt: Instant; agreedAt: Instant; maxPerContact: number } | null;
  readonly endReason?: "customer_ended" | "carrier_error" | "assistant_error";
  readonly optedOut?: boolean;
};

/** What is recorded when the call of the first of two contacts ends. */
function recorded({ settings = {}, before = [], callback = AGREED, endReason, optedOut = false }: Ended) {
  const state = stateOf([...running([contact(1), contact(2)], settings), dialed(1), ...before]);
  return campaignDecider.decide(
    attemptEnded(1, endReason ?? "customer_ended", { durationSeconds: 30, cost: 500, optedOut, callback }),
    state,
  );
}

describe("an answered attempt that agreed a callback", () => {
  it("is recorded as one, however the call ends, and does not use the budget", () => {
    for (const endReason of ["customer_ended", "carrier_error", "assistant_error"] as const)
      expect(recorded({ endReason, settings: { maxRetries: 2 } })).toEqual([
        {
          type: "ContactCallbackScheduled",
          data: {
            campaignId,
            at: at(61),
            contactId: "ctc_1",
            callId: "call_1",
            attempt: 1,
            endReason,
            durationSeconds: 30,
            cost: 500,
            maxAttempts: 4,
            agreedAt: at(40),
            callbackAt: at(3_600),
            zone: "Europe/Istanbul",
          },
        },
      ]);
  });

  it("ends as ever after an opt-out, a skip, a cancel, and when no more may be agreed", () => {
    const skip = { campaignId, at: at(50), contactId: "ctc_1", reason: "by_request", outcome: "no_retry" };
    const ends = [
      recorded({ optedOut: true }),
      recorded({ before: [{ type: "ContactSkipped", data: skip } as CampaignEvent] }),
      recorded({
        before: [{ type: "CampaignCancelled", data: { campaignId, at: at(50), hangUpActiveCalls: false } }],
      }),
      recorded({ callback: { ...AGREED, maxPerContact: 0 } }),
      recorded({ callback: null }),
    ];
    for (const events of ends) expect(events.map(({ type }) => type)).toEqual(["ContactSucceeded"]);
  });

  it("is judged by the window of the moment of its end: the first opening, if it is within a week", () => {
    // 13:00 in Istanbul: the agreed hour is 14:00.
    const callbackOf = (window: CampaignSettings["window"]) => {
      const [event] = recorded({ settings: { window } });
      return event?.type === "ContactCallbackScheduled" ? event.data.callbackAt : null;
    };
    expect(callbackOf({ start: 9, end: 18 })).toBe(at(3_600));
    expect(callbackOf({ start: 15, end: 18 })).toBe(at(2 * 3_600));
    const closed = ["02", "03", "04", "05", "06", "07", "08"].map((day) => `2026-09-${day}`);
    expect(callbackOf({ start: 9, end: 14, excludedDates: closed })).toBeNull();
  });
});

describe("a contact that waits for its callback", () => {
  const waiting = [
    ...running([contact(1), contact(2), contact(3, { phoneNumber: "+14155550101" })]),
    dialed(1),
    callbackScheduled(1, at(600)),
  ];

  it("counts as waiting and as a completed call, not as a success", () => {
    const { counts, completedCalls, completedSeconds } = stateOf(waiting);
    expect(counts).toMatchObject({ waiting_retry: 1, succeeded: 0, failed: 0, pending: 2 });
    expect([completedCalls, completedSeconds]).toEqual([1, 30]);
  });

  it("goes before everybody when it is due, and not before", () => {
    const ids = (now: Instant) =>
      dueContacts(stateOf(waiting), now, 10, null).map(({ contactId }) => contactId);
    expect(ids(at(599))).toEqual(["ctc_2"]);
    expect(ids(at(600))).toEqual(["ctc_1", "ctc_2"]);
  });

  it("is told as such by its dial, and by a skip; its retry and others are not", () => {
    const dial = (contact: number, call: number, now: Instant, events = waiting) =>
      campaignDecider.decide(
        { type: "DialDueContacts", granted: [granted(contact, call)], suppressed: [], now },
        stateOf(events),
      );
    const told = (events: readonly CampaignEvent[]) =>
      events.map(({ type, data }) => [type, "waitedForCallback" in data ? data.waitedForCallback : false]);
    expect(told(dial(1, 7, at(600)))).toEqual([["ContactDialed", true]]);
    expect(told(dial(2, 7, at(600)))).toEqual([["ContactDialed", false]]);
    const retry = [...waiting, dialed(1, 7, 2), failed(1, at(900), 7)];
    expect(told(dial(1, 8, at(900), retry))).toEqual([["ContactDialed", false]]);
    const skip = { type: "SkipContact", contactId: "ctc_1", reason: "by_request", now: at(100) } as const;
    expect(told(campaignDecider.decide(skip, stateOf(waiting)))).toEqual([["ContactSkipped", true]]);
    expect(told(campaignDecider.decide(skip, stateOf(retry)))).toEqual([["ContactSkipped", false]]);
    const call = { callId: "call_99", to: "+14155550101", from: "+15005550100", at: at(90) } as const;
    const since = { type: "EndCalledSince", calls: [call], limit: 9, now: at(100) } as const;
    expect(told(campaignDecider.decide(since, stateOf(waiting)))).toEqual([
      ["ContactSkipped", true],
      ["ContactSkipped", false],
    ]);
  });

  it("holds its number until it ends: others with it are not due, and wake nobody", () => {
    const left = [...waiting, dialed(2), succeeded(2)];
    expect(nextDueAt(stateOf(left), at(100), null)).toBe(at(600));
    expect(countDue(stateOf(left), at(100), null)).toBe(0);
    const third = {
      type: "DialDueContacts",
      granted: [granted(3, 9)],
      suppressed: [],
      now: at(100),
    } as const;
    expect(campaignDecider.decide(third, stateOf(left))).toEqual([]);
    const again = { ...callbackScheduled(1, at(600)), type: "ContactSucceeded" } as CampaignEvent;
    const ended = stateOf([
      ...left,
      dialed(1, 7, 2),
      { ...again, data: { ...again.data, callId: "call_7" } } as CampaignEvent,
    ]);
    expect(dueContacts(ended, at(700), 10, null).map(({ contactId }) => contactId)).toEqual(["ctc_3"]);
  });

  it("is retried as ever when its own dial fails, with the number still held", () => {
    const after = stateOf([...waiting, dialed(2), succeeded(2), dialed(1, 7, 2), failed(1, at(900), 7)]);
    expect(dueContacts(after, at(800), 10, null)).toEqual([]);
    expect(dueContacts(after, at(900), 10, null).map(({ contactId }) => contactId)).toEqual(["ctc_1"]);
    expect(after.contacts.callbackRows.size).toBe(0);
  });

  it("is dialled whenever a campaign is resumed that was paused past its time", () => {
    const resumed: CampaignEvent = {
      type: "CampaignResumed",
      data: { campaignId, at: at(5_000), by: "api" },
    };
    const state = stateOf([...waiting, paused("manual"), resumed]);
    expect(dueContacts(state, at(5_000), 1, null).map(({ contactId }) => contactId)).toEqual(["ctc_1"]);
  });

  it("has failed when the campaign is cancelled, and lets its number go", () => {
    const state = stateOf([
      ...waiting,
      { type: "CampaignCancelled", data: { campaignId, at: at(100), hangUpActiveCalls: false } },
    ]);
    expect(state.counts).toMatchObject({ failed: 1, skipped: 2, waiting_retry: 0 });
    expect(state.contacts.holders.size).toBe(0);
  });
});
