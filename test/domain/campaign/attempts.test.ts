import { describe, expect, it } from "vitest";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { closedUntil, dueContacts, nextDueAt } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { specOf } from "../../support/decider-spec.ts";
import { campaignCounts } from "./campaign-counts.ts";
import {
  at,
  attemptEnded,
  campaignId,
  contact,
  created,
  creation,
  dialed,
  failed,
  granted,
  imported,
  paused,
  running,
  started,
  succeeded,
} from "./example-campaign.ts";

const given = specOf(campaignDecider);
const state = (...events: CampaignEvent[]) =>
  events.reduce(campaignDecider.evolve, campaignDecider.initialState());
const two = [contact(1), contact(2)];
const three = [...two, contact(3)];
const ids = (...numbers: number[]) => numbers.map((number) => `ctc_${number}`);
const due = (events: CampaignEvent[], seconds = 3, limit = 10) =>
  dueContacts(state(...events), at(seconds), limit, null).map(({ contactId }) => contactId);
const dial = (numbers: readonly number[], seconds = 3) =>
  ({
    type: "DialDueContacts",
    granted: numbers.map((number) => granted(number)),
    suppressed: [],
    now: at(seconds),
  }) as const;

describe("who is due", () => {
  it("is everybody in the order of import, up to the limit", () => {
    expect(due(running(three))).toEqual(ids(1, 2, 3));
    expect(due(running(three), 3, 2)).toEqual(ids(1, 2));
  });
  it("is nobody unless it runs", () => {
    expect(due(created(three))).toEqual([]);
    expect(due([...running(three), paused("manual")])).toEqual([]);
  });
  it("puts contacts never called before retries, and those by their due time", () => {
    const history = [...running(three), dialed(1), failed(1, at(80)), dialed(2), failed(2, at(70))];
    expect(due(history, 90)).toEqual(ids(3, 2, 1));
    expect(due(history, 75)).toEqual(ids(3, 2));
    expect(due(history, 70)).toEqual(ids(3, 2));
    expect(due(history, 69.999)).toEqual(ids(3));
  });
  it("forgets a retry that was given up behind an earlier one", () => {
    const waiting = [...running(three), dialed(1), failed(1, at(70)), dialed(2), failed(2, at(80))];
    const givenUp: CampaignEvent = {
      type: "ContactSkipped",
      data: { campaignId, at: at(61), contactId: "ctc_2", reason: "by_request", outcome: "failed" },
    };
    expect(due([...waiting, givenUp], 90)).toEqual(ids(3, 1));
  });
  it("waits for the last retry that was promised, not for one before it", () => {
    const twice = [dialed(1), failed(1, at(70)), dialed(1, 4, 2), failed(1, at(200), 4)];
    expect(due([...running([contact(1)]), ...twice], 90)).toEqual([]);
    expect(due([...running([contact(1)]), ...twice], 200)).toEqual(ids(1));
  });
  it("keeps no place in the queue for a retry that is over", () => {
    const one = [...running([contact(1)]), dialed(1), failed(1, at(70))];
    expect(state(...one).contacts.queues).toEqual([[0]]);
    expect(state(...one, dialed(1, 2, 2), succeeded(1, 2)).contacts.queues).toEqual([[]]);
  });
  it("leaves out a number that is in a call, and takes no number twice", () => {
    const twins = [contact(1), contact(2, { phoneNumber: "+14155550101" }), contact(3)];
    expect(due(running(twins))).toEqual(ids(1, 3));
    expect(due([...running(twins), dialed(1)])).toEqual(ids(3));
    expect(due([...running(twins), dialed(1), succeeded(1)])).toEqual(ids(2, 3));
  });
  it("judges a contact in its own zone", () => {
    const lateInTokyo = [contact(1, { timezone: "Asia/Tokyo" }), contact(2)];
    expect(due(running(lateInTokyo, { window: { start: 9, end: 18 } }))).toEqual(ids(2));
    expect(
      dueContacts(state(...running(lateInTokyo, { window: { start: 9, end: 20 } })), at(3), 10, null),
    ).toMatchObject([
      { timezone: "Asia/Tokyo", windowClosesAt: "2026-09-01T11:00:00.000Z" },
      { timezone: "Europe/Istanbul", windowClosesAt: "2026-09-01T17:00:00.000Z" },
    ]);
  });
  it("names the midnight at which the last allowed date ends as the closing", () => {
    const tuesdays = { start: 0, end: 0, days: [2] };
    const night = { start: 12, end: 6, excludedDates: ["2026-09-02"] };
    for (const window of [tuesdays, night])
      expect(dueContacts(state(...running(two, { window })), at(3), 1, null)).toMatchObject([
        { windowClosesAt: "2026-09-01T21:00:00.000Z" },
      ]);
  });
  it("leaves out those whose date is not allowed where they are", () => {
    const tuesdayInHonolulu = [contact(1, { timezone: "Pacific/Honolulu" }), contact(2)];
    const window = { start: 0, end: 0, excludedDates: ["2026-09-02"] };
    expect(
      dueContacts(state(...running(tuesdayInHonolulu, { window })), at(12 * 3_600), 10, null),
    ).toMatchObject([{ contactId: "ctc_1" }]);
  });
  it("calls nobody whose zone is not known", () =>
    expect(due(running([contact(1, { timezone: "Mars/Olympus" })], { window: null }))).toEqual([]));
  it("says where the texts of a contact stand", () => {
    const chunks = [imported(two), imported([contact(3)], "imp_1", 2)];
    const history = [...chunks, { type: "CampaignCreated", data: creation(3) }, started] as const;
    expect(dueContacts(state(...history), at(3), 10, null)).toMatchObject([
      { chunkRevision: 0 },
      { chunkRevision: 0 },
      { chunkRevision: 1 },
    ]);
  });
});

describe("when somebody is due next", () => {
  const next = (events: CampaignEvent[], seconds = 3) => nextDueAt(state(...events), at(seconds), null);
  it("is now while somebody waits to be called first", () => expect(next(running(three))).toBe(at(3)));
  it("is the earliest retry", () =>
    expect(
      next([...running(three.slice(0, 2)), dialed(1), failed(1, at(80)), dialed(2), failed(2, at(70))]),
    ).toBe(at(70)));
  it("is the opening of the window, also for a retry that is due before it", () => {
    const evening = { window: { start: 18, end: 20 } };
    expect(next(running(three, evening))).toBe("2026-09-01T15:00:00.000Z");
    expect(next([...running(three.slice(0, 1), evening), dialed(1), failed(1, at(80))])).toBe(
      "2026-09-01T15:00:00.000Z",
    );
  });
  it("is the first of all zones, each at its own opening", () => {
    const people = [contact(1, { timezone: "Asia/Tokyo" }), contact(2)];
    const night = { window: { start: 22, end: 6 } };
    expect(next(running(people, night))).toBe("2026-09-01T13:00:00.000Z");
    const tokyoWaits = [...running(people, night), dialed(1), failed(1, at(80)), dialed(2, 2)];
    expect(next(tokyoWaits)).toBe("2026-09-01T13:00:00.000Z");
  });
  it("does not forget a retry behind an earlier one of another zone", () => {
    const people = [contact(1), contact(2, { timezone: "Asia/Tokyo" })];
    const evening = { window: { start: 19, end: 21 } };
    const both = [
      ...running(people, evening),
      dialed(1),
      failed(1, at(70)),
      dialed(2, 2),
      failed(2, at(80), 2),
    ];
    expect(next(both)).toBe(at(80));
  });
  it("is not that of a retry that was given up", () => {
    const tokyo = { timezone: "Asia/Tokyo" };
    const people = [contact(1), contact(2, tokyo), contact(3, tokyo)];
    const history = [
      ...running(people, { window: { start: 19, end: 21 } }),
      ...[dialed(1), failed(1, at(70)), dialed(2), failed(2, at(80)), dialed(3), failed(3, at(100))],
    ];
    const givenUp: CampaignEvent = {
      type: "ContactSkipped",
      data: { campaignId, at: at(61), contactId: "ctc_2", reason: "by_request", outcome: "failed" },
    };
    expect(next(history, 62)).toBe(at(80));
    expect(next([...history, givenUp], 62)).toBe(at(100));
  });
  it("is never when nobody is left", () => {
    expect(next([...running(three.slice(0, 1)), dialed(1)])).toBeNull();
    expect(
      next(
        [...running(three.slice(0, 1)), dialed(1), failed(1, at(80)), dialed(1, 2, 2), succeeded(1, 2)],
        90,
      ),
    ).toBeNull();
  });
});

describe("the window of a campaign", () => {
  const evening = { window: { start: 18, end: 20 } };
  it("is closed until the earliest opening among those still to be called", () => {
    expect(
      closedUntil(
        state(
          ...running([contact(1), contact(2, { timezone: "Asia/Kolkata" })], {
            window: { start: 17, end: 20 },
          }),
        ),
        at(3),
        null,
      ),
    ).toEqual({ opensAt: "2026-09-01T11:30:00.000Z" });
    expect(closedUntil(state(...running(three, evening)), at(3), null)).toEqual({
      opensAt: "2026-09-01T15:00:00.000Z",
    });
  });
  it("is open when one of them has an open window", () =>
    expect(
      closedUntil(
        state(...running([contact(1), contact(2, { timezone: "Asia/Tokyo" })], evening)),
        at(3),
        null,
      ),
    ).toBeNull());
  it("counts those who wait for a retry", () =>
    expect(
      closedUntil(state(...running(three.slice(0, 1), evening), dialed(1), failed(1, at(80))), at(3), null),
    ).toEqual({ opensAt: "2026-09-01T15:00:00.000Z" }));
  it("is no question when nobody is to be called", () =>
    expect(closedUntil(state(...running(three.slice(0, 1), evening), dialed(1)), at(3), null)).toBeNull());
});

describe("dialling", () => {
  it("records the right to call with its evidence", () =>
    expect(
      given(...running(three, { window: { start: 9, end: 18 } }))
        .when(dial([1, 2]))
        .events(),
    ).toMatchObject([
      {
        type: "ContactDialed",
        data: {
          contactId: "ctc_1",
          callId: "call_1",
          phoneNumber: "+14155550101",
          attempt: 1,
          dialAt: at(2),
          dialBy: at(17),
        },
      },
      {
        type: "ContactDialed",
        data: {
          contactId: "ctc_2",
          evidence: {
            localTime: "2026-09-01T13:00:03.000+03:00",
            utcOffsetMinutes: 180,
            timezone: "Europe/Istanbul",
            window: { start: 9, end: 18 },
            activeCalls: 2,
            effectiveMaxConcurrentCalls: 10,
            availableCredits: 50_000,
            attempt: 1,
          },
        },
      },
    ]));
  it("records the window whole", () => {
    const window = { start: 9, end: 18, endMinute: 30, days: [2], excludedDates: ["2026-12-25"] };
    expect(
      given(...running(three, { window }))
        .when(dial([1]))
        .events(),
    ).toMatchObject([{ data: { evidence: { window } } }]);
  });
  it("is judged and recorded in the zone of the contact", () =>
    expect(
      given(...running([contact(1, { timezone: "Asia/Tokyo" })]))
        .when(dial([1]))
        .events(),
    ).toMatchObject([{ data: { evidence: { timezone: "Asia/Tokyo", utcOffsetMinutes: 540 } } }]));
  it("never goes above the cap of the campaign or of the plan", () => {
    given(...running(three, { maxConcurrentCalls: 2 }))
      .when(dial([1, 2, 3]))
      .thenTypes("ContactDialed", "ContactDialed");
    given(...running(three, { maxConcurrentCalls: 2 }), dialed(1))
      .when(dial([2, 3]))
      .thenTypes("ContactDialed");
    const plan = granted(2, 2, {
      evidence: { activeCalls: 1, effectiveMaxConcurrentCalls: 1, availableCredits: 1 },
    });
    given(...running(three), dialed(1))
      .when({ ...dial([]), granted: [plan] })
      .thenEvents();
  });
  it("does not happen when the campaign no longer runs", () =>
    given(...running(three), paused("manual"))
      .when(dial([1]))
      .thenEvents());
  it.each([
    { start: 18, end: 20 },
    { start: 13, startMinute: 1, end: 20 },
    { start: 9, end: 18, days: [1, 3] },
    { start: 9, end: 18, excludedDates: ["2026-09-01"] },
  ])("does not happen outside the window %j", (window) =>
    given(...running(three, { window }))
      .when(dial([1]))
      .thenEvents(),
  );
  it("does not happen to a contact that is in a call, done, not yet due, or unknown", () => {
    given(...running(three), dialed(1))
      .when(dial([1]))
      .thenEvents();
    given(...running(three), dialed(1), succeeded(1))
      .when(dial([1]))
      .thenEvents();
    given(...running(three), dialed(1), failed(1, at(80)))
      .when(dial([1], 79))
      .thenEvents();
    given(...running(three))
      .when(dial([9]))
      .thenEvents();
  });
  it("numbers the attempts of a contact", () =>
    expect(
      given(...running(three), dialed(1), failed(1, at(80)))
        .when(dial([1], 80))
        .events(),
    ).toMatchObject([{ data: { attempt: 2, evidence: { attempt: 2 } } }]));
  it("never has a number in two calls at once", () => {
    const twins = [contact(1), contact(2, { phoneNumber: "+14155550101" })];
    given(...running(twins))
      .when(dial([1, 2]))
      .thenTypes("ContactDialed");
    given(...running(twins), dialed(1))
      .when(dial([2]))
      .thenEvents();
  });
  it("skips the suppressed: never called is skipped, called before is failed", () => {
    const command = {
      type: "DialDueContacts",
      granted: [granted(1), granted(2)],
      suppressed: ids(1, 3),
      now: at(90),
    } as never;
    expect(
      given(...running(three), dialed(3), failed(3, at(80)))
        .when(command)
        .events(),
    ).toMatchObject([
      { type: "ContactSkipped", data: { contactId: "ctc_1", reason: "suppressed", outcome: "skipped" } },
      { type: "ContactSkipped", data: { contactId: "ctc_3", reason: "suppressed", outcome: "failed" } },
      { type: "ContactDialed", data: { contactId: "ctc_2" } },
    ]);
  });
});

describe("the outcome of an attempt", () => {
  const outcome = (endReason: EndReason, callNumber = 1) =>
    attemptEnded(1, endReason, { callId: `call_${callNumber}` });
  const retryOf = (events: readonly CampaignEvent[]) =>
    events.map((event) => (event.type === "ContactAttemptFailed" ? event.data.retryAt : event.type));

  it("success is told with its duration and its cost", () =>
    given(...running(three), dialed(1))
      .when({ ...outcome("customer_ended"), durationSeconds: 30, cost: 5_000 })
      .thenEvents({
        type: "ContactSucceeded",
        data: {
          campaignId,
          at: at(61),
          contactId: "ctc_1",
          callId: "call_1",
          attempt: 1,
          endReason: "customer_ended",
          durationSeconds: 30,
          cost: 5_000,
          maxAttempts: 3,
        },
      }));
  it("is told with an opt-out that was said on the call, after which nothing is repeated", () => {
    const told = (reason: EndReason) =>
      given(...running(three, { retryOn: ["connection_lost"] }), dialed(1))
        .when({ ...outcome(reason), optedOut: true })
        .events();
    expect(told("connection_lost")).toMatchObject([
      { type: "ContactAttemptFailed", data: { retryAt: null, optedOut: true } },
    ]);
    expect(told("assistant_ended")).toMatchObject([{ type: "ContactSucceeded", data: { optedOut: true } }]);
  });
  it("a failure is repeated after the interval, counted from its end", () =>
    expect(
      retryOf(
        given(...running(three), dialed(1))
          .when(outcome("busy"))
          .events(),
      ),
    ).toEqual([at(60 + 300)]));
  it("the defaults are 3 retries after 5 minutes", () => {
    const defaults = { maxRetries: null, retryIntervalMins: null };
    const attempts = [1, 2, 3].flatMap((attempt) => [
      dialed(1, attempt, attempt),
      failed(1, at(attempt), attempt),
    ]);
    expect(
      retryOf(
        given(...running(three, defaults), ...attempts.slice(0, 4), dialed(1, 3, 3))
          .when(outcome("busy", 3))
          .events(),
      ),
    ).toEqual([at(360)]);
    expect(
      retryOf(
        given(...running(three, defaults), ...attempts, dialed(1, 4, 4))
          .when(outcome("busy", 4))
          .events(),
      ),
    ).toEqual([null]);
  });
  it("the budget is one attempt and its retries", () => {
    const once = [...running(three, { maxRetries: 1 }), dialed(1), failed(1, at(80)), dialed(1, 2, 2)];
    expect(
      given(...once)
        .when(outcome("busy", 2))
        .events(),
    ).toMatchObject([{ data: { attempt: 2, maxAttempts: 2, retryAt: null } }]);
  });
  it.each(["invalid_number", "canceled", "outcome_unknown", "suppressed"] as const)(
    "%s is never repeated",
    (reason) =>
      expect(
        retryOf(
          given(...running(three), dialed(1))
            .when(outcome(reason))
            .events(),
        ),
      ).toEqual([null]),
  );
  it("is repeated only for the reasons that the campaign names", () => {
    expect(
      retryOf(
        given(...running(three, { retryOn: ["no_answer"] }), dialed(1))
          .when(outcome("busy"))
          .events(),
      ),
    ).toEqual([null]);
  });
  it("is repeated whatever the campaign names when the carrier never had it", () => {
    const unplaced = given(...running(three, { retryOn: [] }), dialed(1)).when(outcome("not_placed"));
    expect(retryOf(unplaced.events())).toEqual([at(90)]);
  });
  it("an attempt that the carrier never had costs nothing of the budget and is repeated after 30 s", () => {
    const events = given(...running(three, { maxRetries: 1 }), dialed(1))
      .when(outcome("not_placed"))
      .events();
    expect(events).toMatchObject([{ data: { retryAt: at(90), maxAttempts: 3 } }]);
    const later = given(...running(three, { maxRetries: 1 }), dialed(1), ...events, dialed(1, 2, 2))
      .when(outcome("busy", 2))
      .events();
    expect(later).toMatchObject([{ data: { attempt: 2, retryAt: at(360), maxAttempts: 3 } }]);
  });
  it("is given up after ten of those", () => {
    let history = running(three);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      history = [...history, dialed(1, attempt, attempt)];
      const events = given(...history)
        .when(outcome("not_placed", attempt))
        .events();
      expect(retryOf(events)).toEqual([at(90)]);
      history = [...history, ...events];
    }
    expect(
      retryOf(
        given(...history, dialed(1, 11, 11))
          .when(outcome("not_placed", 11))
          .events(),
      ),
    ).toEqual([null]);
  });
  it("counts once, and only for the contact and call that are live", () => {
    given(...running(three), dialed(1), succeeded(1))
      .when(outcome("busy"))
      .thenEvents();
    given(...running(three), dialed(1))
      .when({ ...outcome("busy"), contactId: "ctc_2" })
      .thenEvents();
    given(...running(three))
      .when(outcome("busy"))
      .thenEvents();
  });
  it("after a cancel counts and is never repeated", () => {
    const cancelled: CampaignEvent = {
      type: "CampaignCancelled",
      data: { campaignId, at: at(5), hangUpActiveCalls: false },
    };
    expect(
      retryOf(
        given(...running(three), dialed(1), cancelled)
          .when(outcome("busy"))
          .events(),
      ),
    ).toEqual([null]);
  });
});

describe("skipping a contact", () => {
  const skip = { type: "SkipContact", contactId: "ctc_1", reason: "by_request", now: at(5) } as const;
  const skipped = (outcome: "skipped" | "failed" | "no_retry", seconds = 5): CampaignEvent => ({
    type: "ContactSkipped",
    data: { campaignId, at: at(seconds), contactId: "ctc_1", reason: "by_request", outcome },
  });
  it("never called: skipped", () => {
    given(...created(three))
      .when(skip)
      .thenEvents(skipped("skipped"));
    expect(campaignCounts(state(...created(three), skipped("skipped")))).toMatchObject({
      skippedContacts: 1,
      pendingCalls: 2,
    });
  });
  it("called before: failed", () => {
    given(...running(three), dialed(1), failed(1, at(80)))
      .when({ ...skip, now: at(61) })
      .thenEvents(skipped("failed", 61));
    expect(due([...running(three), dialed(1), failed(1, at(80)), skipped("failed", 61)], 90)).toEqual(
      ids(2, 3),
    );
  });
  it("in a call: that call goes on and is the last", () => {
    given(...running(three), dialed(1))
      .when(skip)
      .thenEvents(skipped("no_retry"));
    given(...running(three), dialed(1), skipped("no_retry"))
      .when(skip)
      .thenEvents();
    const outcome = attemptEnded(1, "busy");
    expect(
      given(...running(three), dialed(1), skipped("no_retry"))
        .when(outcome)
        .events(),
    ).toMatchObject([{ data: { retryAt: null } }]);
  });
  it("done: nothing", () =>
    given(...running(three), dialed(1), succeeded(1))
      .when(skip)
      .thenEvents());
  it("asked again: nothing, also when the campaign is over by then", () => {
    const over: CampaignEvent = { type: "CampaignCompleted", data: { campaignId, at: at(6) } };
    for (const outcome of ["skipped", "failed", "no_retry"] as const)
      given(...running(three), skipped(outcome), over)
        .when({ ...skip, now: at(7) })
        .thenEvents();
  });
  it("unknown, or in a campaign that is over: refused", () => {
    given(...running(three))
      .when({ ...skip, contactId: "ctc_9" })
      .thenRefused("campaign.contact-not-found", { contactId: "ctc_9" });
    given(...running(three), { type: "CampaignCompleted", data: { campaignId, at: at(5) } })
      .when(skip)
      .thenRefused("campaign.invalid-state", { status: "COMPLETED" });
    given(...running(three), {
      type: "CampaignCancelled",
      data: { campaignId, at: at(5), hangUpActiveCalls: false },
    })
      .when(skip)
      .thenRefused("campaign.invalid-state", { status: "CANCELLED" });
  });
});

describe("the counts", () => {
  it("add up, and the average is over completed calls", () => {
    const history = [
      ...created(three),
      started,
      dialed(1),
      succeeded(1),
      dialed(2),
      failed(2, at(80)),
      dialed(3),
    ];
    expect(campaignCounts(state(...history))).toEqual({
      totalContacts: 3,
      successfulCalls: 1,
      failedCalls: 0,
      pendingCalls: 1,
      activeCalls: 1,
      skippedContacts: 0,
      averageCallDuration: 30,
    });
    expect(campaignCounts(state(...created(three))).averageCallDuration).toBeNull();
    expect(campaignCounts(state(...history, succeeded(3))).averageCallDuration).toBe(30);
  });
});
