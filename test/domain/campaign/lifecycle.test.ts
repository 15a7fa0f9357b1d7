import { describe, expect, it } from "vitest";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { nextAction } from "../../../domain/campaign/next-action.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { specOf } from "../../support/decider-spec.ts";
import {
  at,
  campaignId,
  contact,
  created,
  creation,
  dialed,
  FINE,
  failed,
  granted,
  imported,
  paused,
  running,
  SETTINGS,
  started,
  succeeded,
} from "./example-campaign.ts";

const given = specOf(campaignDecider);
const one = [contact(1)];
const two = [contact(1), contact(2)];
const moment = { campaignId, at: at(5) };
const now = at(5);
const cancelled: CampaignEvent = { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: false } };
const completed: CampaignEvent = { type: "CampaignCompleted", data: moment };
const start = { type: "StartCampaign", world: FINE, now } as const;
const pause = { type: "PauseCampaign", now } as const;
const resume = { type: "ResumeCampaign", by: "api", world: FINE, now } as const;
const cancel = { type: "CancelCampaign", hangUpActiveCalls: false, now } as const;
const judge = (world: Partial<typeof FINE>) =>
  ({ type: "JudgeConditions", world: { ...FINE, ...world }, now }) as const;
const state = (...events: CampaignEvent[]) =>
  events.reduce(campaignDecider.evolve, campaignDecider.initialState());

describe("importing contacts", () => {
  const chunk = {
    type: "ImportContacts",
    campaignId,
    importId: "imp_1",
    firstIndex: 0,
    contacts: two,
    now: at(-2),
  } as const;
  it("stores a chunk once", () => {
    given().when(chunk).thenEvents(imported(two));
    given(imported(two)).when(chunk).thenEvents();
    given(...created(two))
      .when({ ...chunk, firstIndex: 2 })
      .thenEvents();
  });
  it("leaves no gap between chunks", () => {
    given(imported(two))
      .when({ ...chunk, firstIndex: 2 })
      .thenTypes("ContactsImported");
    given(imported(two))
      .when({ ...chunk, firstIndex: 3 })
      .thenRefused("campaign.import-incomplete", { firstIndex: 3, importId: "imp_1", stored: 2 });
  });
  it("is sealed by the creation, whole or not at all", () => {
    given(imported(two))
      .when({ type: "CreateCampaign", campaign: creation(2) })
      .thenTypes("CampaignCreated");
    given(imported(one))
      .when({ type: "CreateCampaign", campaign: creation(2) })
      .thenRefused("campaign.import-incomplete", { expected: 2, importId: "imp_1", stored: 1 });
    given(...created(two))
      .when({ type: "CreateCampaign", campaign: creation(2) })
      .thenEvents();
  });
  it("shows nobody before the seal", () => expect(state(imported(two)).contacts.ids).toEqual([]));
  it("can be abandoned until then, once", () => {
    const abandon = { type: "AbandonImport", importId: "imp_1", now } as const;
    given(imported(two))
      .when(abandon)
      .thenEvents({ type: "ImportAbandoned", data: { ...moment, importId: "imp_1" } });
    given(imported(two), { type: "ImportAbandoned", data: { ...moment, importId: "imp_1" } })
      .when(abandon)
      .thenEvents();
    given(imported(two), { type: "ImportAbandoned", data: { ...moment, importId: "imp_1" } })
      .when(chunk)
      .thenEvents();
    given(...created(two))
      .when(abandon)
      .thenEvents();
  });
});

describe("deleting a campaign", () => {
  const remove = { type: "DeleteCampaign", now } as const;
  const deleted: CampaignEvent = { type: "CampaignDeleted", data: moment };
  it("is for one that has not begun", () => {
    given(...created(two))
      .when(remove)
      .thenEvents(deleted);
    for (const [status, ...events] of [
      ["RUNNING"],
      ["PAUSED", paused("manual")],
      ["CANCELLED", cancelled],
      ["COMPLETED", completed],
    ] as const)
      given(...running(two), ...events)
        .when(remove)
        .thenRefused("campaign.invalid-state", { status });
    given().when(remove).thenRefused("campaign.not-found");
  });
  it("leaves no contact in the state, and nothing that could be done with it", () => {
    const gone = [...created(two), imported([contact(3)], "imp_2"), deleted];
    expect(state(...gone).contacts.ids).toEqual([]);
    expect(state(...gone)).toMatchObject({ owner: null, pins: null, settings: null, isDeleted: true });
    for (const command of [remove, start, pause, resume, cancel])
      given(...gone)
        .when(command)
        .thenRefused("campaign.not-found");
    expect(nextAction(state(...gone), null)).toEqual({ kind: "let_go" });
  });
  it("is not undone by a creation that is sent again, nor by an import under way", () => {
    const gone = [...created(two), imported([contact(3)], "imp_2"), deleted];
    const chunk = { type: "ImportContacts", campaignId, importId: "imp_2", firstIndex: 1 } as const;
    given(...gone)
      .when({ type: "CreateCampaign", campaign: creation(2) })
      .thenEvents();
    given(...gone)
      .when({ ...chunk, contacts: one, now })
      .thenEvents();
    const rejected = { count: 0, items: [] };
    given(...gone)
      .when({ type: "AddContacts", importId: "imp_2", added: 1, rejected, now })
      .thenRefused("campaign.not-found");
    given(...gone)
      .when({ type: "AbandonImport", importId: "imp_2", now })
      .thenEvents();
  });
});

describe("adding contacts", () => {
  const rejected = { count: 0, items: [] };
  const add = { type: "AddContacts", importId: "imp_2", added: 1, rejected, now } as const;
  const chunk = imported([contact(3)], "imp_2");
  const seal: CampaignEvent = {
    type: "ContactsAdded",
    data: { ...moment, importId: "imp_2", added: 1, rejected },
  };
  it("seals while pending, running and paused, once", () => {
    given(...created(two), chunk)
      .when(add)
      .thenEvents(seal);
    given(...running(two), chunk)
      .when(add)
      .thenEvents(seal);
    given(...running(two), paused("manual"), chunk)
      .when(add)
      .thenEvents(seal);
    given(...running(two), chunk, seal)
      .when(add)
      .thenEvents();
    expect(state(...running(two), chunk, seal).contacts.ids).toEqual(["ctc_1", "ctc_2", "ctc_3"]);
  });
  it("is refused when the campaign is over", () => {
    given(...running(two), chunk, cancelled)
      .when(add)
      .thenRefused("campaign.invalid-state", { status: "CANCELLED" });
    given(...running(two), chunk, completed)
      .when(add)
      .thenRefused("campaign.invalid-state", { status: "COMPLETED" });
  });
  it("is refused when a chunk is missing", () =>
    given(...running(two))
      .when(add)
      .thenRefused("campaign.import-incomplete", { expected: 1, importId: "imp_2", stored: 0 }));
  it("stops at 10,000 contacts", () => {
    const many = Array.from({ length: 9_999 }, (_, index) => contact(1, { contactId: `ctc_m${index}` }));
    given(...created(many), chunk)
      .when(add)
      .thenTypes("ContactsAdded");
    given(...created([...many, contact(2)]), chunk)
      .when(add)
      .thenRefused("campaign.too-many-contacts", { total: 10_001 });
    given(imported([...many, contact(2), contact(3)]))
      .when({ type: "CreateCampaign", campaign: creation(10_001) })
      .thenRefused("campaign.too-many-contacts", { total: 10_001 });
  });
});

describe("start", () => {
  it("runs a pending campaign", () =>
    given(...created(one))
      .when(start)
      .thenEvents({ type: "CampaignStarted", data: moment }));
  it("goes on to paused for an automatic reason", () =>
    given(...created(one))
      .when({ ...start, world: { ...FINE, assistantUnpublished: true } })
      .thenEvents(
        { type: "CampaignStarted", data: moment },
        {
          type: "CampaignPaused",
          data: { ...moment, reason: "assistant_unpublished", nextWindowOpensAt: null },
        },
      ));
  it("is refused without credits, whatever else holds", () =>
    given(...created(one))
      .when({ ...start, world: { ...FINE, insufficientCredits: true, phoneNumberInactive: true } })
      .thenRefused("campaign.insufficient-credits"));
  it("is quiet when it runs, refused in any other state", () => {
    given(...running(one))
      .when(start)
      .thenEvents();
    given(...running(one), paused("manual"))
      .when(start)
      .thenRefused("campaign.invalid-state", { status: "PAUSED" });
    given(...running(one), cancelled)
      .when(start)
      .thenRefused("campaign.invalid-state", { status: "CANCELLED" });
    given().when(start).thenRefused("campaign.not-found");
  });
});

describe("pause", () => {
  const byHand: CampaignEvent = {
    type: "CampaignPaused",
    data: { ...moment, reason: "manual", nextWindowOpensAt: null },
  };
  it("stops a running campaign", () =>
    given(...running(one))
      .when(pause)
      .thenEvents(byHand));
  it("turns an automatic pause into a manual one", () =>
    given(...running(one), paused("outside_call_window", at(9)))
      .when(pause)
      .thenEvents(byHand));
  it("is quiet when paused by hand", () =>
    given(...running(one), paused("manual"))
      .when(pause)
      .thenEvents());
  it("is refused in any other state", () => {
    given(...created(one))
      .when(pause)
      .thenRefused("campaign.invalid-state", { status: "PENDING" });
    given(...running(one), completed)
      .when(pause)
      .thenRefused("campaign.invalid-state", { status: "COMPLETED" });
  });
});

describe("start by itself", () => {
  const inTime = { type: "StartInTime", world: FINE, now } as const;
  const startsBySystem: CampaignEvent = { type: "CampaignStarted", data: { ...moment, by: "system" } };
  const scheduled = (seconds: number) => created(one, { startAt: at(seconds) });
  it("happens at its time, and says so", () => {
    given(...scheduled(5))
      .when(inTime)
      .thenEvents(startsBySystem);
    given(...scheduled(5.001))
      .when(inTime)
      .thenEvents();
  });
  it("happens to nobody who set no time, took it back, or started the campaign before", () => {
    const changed: CampaignEvent = {
      type: "CampaignSettingsChanged",
      data: { ...moment, changes: { startAt: null } },
    };
    for (const events of [created(one), [...scheduled(1), changed], [...scheduled(1), started]])
      given(...events)
        .when(inTime)
        .thenEvents();
    given(...scheduled(1), cancelled)
      .when(inTime)
      .thenEvents();
  });
  it.each([
    ["insufficient_credits", "insufficientCredits"],
    ["phone_number_inactive", "phoneNumberInactive"],
    ["assistant_unpublished", "assistantUnpublished"],
  ] as const)("goes on to PAUSED %s", (reason, condition) =>
    given(...scheduled(1))
      .when({ ...inTime, world: { ...FINE, [condition]: true } })
      .thenEvents(startsBySystem, {
        type: "CampaignPaused",
        data: { ...moment, reason, nextWindowOpensAt: null },
      }),
  );
  it("leaves somebody who starts it before the right to do so, and to be refused without credits", () => {
    given(...scheduled(60))
      .when(start)
      .thenEvents({ type: "CampaignStarted", data: moment });
    given(...scheduled(60))
      .when({ ...start, world: { ...FINE, insufficientCredits: true } })
      .thenRefused("campaign.insufficient-credits");
  });
  it("is set and taken back while PENDING only; a time that stands is no change", () => {
    const change = (startAt: ReturnType<typeof at> | null) =>
      ({ type: "ChangeSettings", changes: { startAt }, now }) as const;
    given(...created(one))
      .when(change(at(60)))
      .thenTypes("CampaignSettingsChanged");
    given(...scheduled(60))
      .when(change(null))
      .thenTypes("CampaignSettingsChanged");
    given(...created(one))
      .when(change(null))
      .thenEvents();
    given(...running(one), paused("manual"))
      .when(change(at(60)))
      .thenRefused("campaign.invalid-state", { status: "PAUSED" });
  });
});

describe("resume", () => {
  const resumed: CampaignEvent = { type: "CampaignResumed", data: { ...moment, by: "api" } };
  it("ends a manual pause", () =>
    given(...running(one), paused("manual"))
      .when(resume)
      .thenEvents(resumed));
  it("is paused again at once when an automatic reason holds", () =>
    given(...running(one), paused("manual"))
      .when({ ...resume, world: { ...FINE, carrierUnavailable: true } })
      .thenEvents(resumed, {
        type: "CampaignPaused",
        data: { ...moment, reason: "carrier_unavailable", nextWindowOpensAt: null },
      }));
  it("is quiet when that very reason holds already, or when it runs", () => {
    given(...running(one), paused("carrier_unavailable"))
      .when({ ...resume, world: { ...FINE, carrierUnavailable: true } })
      .thenEvents();
    given(...running(one))
      .when(resume)
      .thenEvents();
  });
  it("is refused in any other state", () => {
    given(...created(one))
      .when(resume)
      .thenRefused("campaign.invalid-state", { status: "PENDING" });
    given(...running(one), cancelled)
      .when(resume)
      .thenRefused("campaign.invalid-state", { status: "CANCELLED" });
  });
  it("clears the reason", () =>
    expect(state(...running(one), paused("outside_call_window", at(9)), resumed)).toMatchObject({
      status: "RUNNING",
      pauseReason: null,
      nextWindowOpensAt: null,
    }));
});

describe("cancel", () => {
  it("ends a campaign that is not over", () => {
    given(...created(one))
      .when(cancel)
      .thenEvents(cancelled);
    given(...running(one))
      .when(cancel)
      .thenEvents(cancelled);
    given(...running(one), paused("manual"))
      .when(cancel)
      .thenEvents(cancelled);
    given(...running(one), completed)
      .when(cancel)
      .thenRefused("campaign.invalid-state", { status: "COMPLETED" });
  });
  it("skips those never called, fails those that wait, leaves live ones", () => {
    const three = [contact(1), contact(2), contact(3)];
    const { counts, status } = state(...running(three), dialed(1), failed(1, at(90)), dialed(2), cancelled);
    expect({ counts, status }).toMatchObject({
      status: "CANCELLED",
      counts: { skipped: 1, failed: 1, dialing: 1, pending: 0, waiting_retry: 0 },
    });
  });
  it("asked again adds the hang-up of live calls, once", () => {
    const hangUp = { ...cancel, hangUpActiveCalls: true };
    const hungUp: CampaignEvent = { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: true } };
    given(...running(one), cancelled)
      .when(cancel)
      .thenEvents();
    given(...running(one), dialed(1), cancelled)
      .when(hangUp)
      .thenEvents(hungUp);
    given(...running(one), dialed(1), hungUp)
      .when(hangUp)
      .thenEvents();
    given(...running(one), cancelled)
      .when(hangUp)
      .thenEvents();
    expect(state(...running(one), dialed(1), hungUp, cancelled).hangUpActiveCalls).toBe(true);
  });
});

describe("changing settings", () => {
  const change = {
    type: "ChangeSettings",
    changes: { name: "New", maxRetries: SETTINGS.maxRetries },
    now,
  } as const;
  const changed: CampaignEvent = {
    type: "CampaignSettingsChanged",
    data: { ...moment, changes: { name: "New" } },
  };
  it("records what is really new, while pending or paused", () => {
    given(...created(one))
      .when(change)
      .thenEvents(changed);
    given(...running(one), paused("manual"))
      .when(change)
      .thenEvents(changed);
    given(...created(one), changed)
      .when(change)
      .thenEvents();
    expect(state(...created(one), changed).settings).toEqual({ ...SETTINGS, name: "New" });
  });
  const plan = [
    { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
    { endReasons: ["no_answer"], afterMins: [60], sameDay: false },
  ] as const;
  const window = { start: 9, end: 18 };
  it("takes a retry plan that fits the settings as they become", () => {
    const planning = { type: "ChangeSettings", changes: { retryPlan: plan, window }, now } as const;
    const planned: CampaignEvent = {
      type: "CampaignSettingsChanged",
      data: { ...moment, changes: { retryPlan: plan, window } },
    };
    given(...created(one))
      .when(planning)
      .thenEvents(planned);
    given(...created(one), planned)
      .when(planning)
      .thenEvents();
    given(...created(one), planned)
      .when({ type: "ChangeSettings", changes: { retryPlan: null, window: null }, now })
      .thenEvents({
        type: "CampaignSettingsChanged",
        data: { ...moment, changes: { retryPlan: null, window: null } },
      });
    given(...created(one))
      .when({ type: "ChangeSettings", changes: { retryPlan: null }, now })
      .thenEvents();
  });
  it("refuses a plan at the row that does not fit, and what no longer fits a plan at the plan", () => {
    given(...created(one, { retryOn: ["no_answer"] }))
      .when({ type: "ChangeSettings", changes: { retryPlan: plan }, now })
      .thenRefused("campaign.retry-plan", {
        problems: [
          { path: [0, "endReasons", 0], message: "retryOn does not have busy, which the plan names" },
          { path: [1, "sameDay"], message: "A later day needs a call window" },
        ],
      });
    const planned = created(one, { retryPlan: plan, window });
    const refusal = (changes: Partial<CampaignSettings>, message: string) =>
      given(...planned)
        .when({ type: "ChangeSettings", changes, now })
        .thenRefused("campaign.retry-plan", { problems: [{ path: [], message }] });
    refusal({ retryOn: ["no_answer"] }, "retryOn does not have busy, which the plan names");
    refusal({ window: null }, "A later day needs a call window");
    given(...planned)
      .when({ type: "ChangeSettings", changes: { retryOn: ["no_answer", "busy"] }, now })
      .thenTypes("CampaignSettingsChanged");
  });
  const texts = {
    type: "ChangeSettings",
    changes: {},
    pins: { greetingMessage: "Good day", specialInstructions: null, from: "+15005550111", placeholders: 3 },
    now,
  } as const;
  const said: CampaignEvent = {
    type: "CampaignSettingsChanged",
    data: {
      ...moment,
      changes: {},
      pins: { greetingMessage: "Good day", from: "+15005550111", placeholders: 3 },
    },
  };
  it("records texts and number that are really new, and the rule of the texts only with one of them", () => {
    given(...created(one))
      .when(texts)
      .thenEvents(said);
    given(...created(one), said)
      .when(texts)
      .thenEvents();
    given(...created(one))
      .when({ ...texts, pins: { greetingMessage: null, placeholders: 3 } })
      .thenEvents();
    given(...running(one))
      .when(texts)
      .thenRefused("campaign.invalid-state", { status: "RUNNING" });
    expect(state(...created(one), said).pins).toMatchObject({
      greetingMessage: "Good day",
      from: "+15005550111",
      phoneNumberId: "pn_1",
    });
  });
  it("leaves live calls what they were dialled with, until they end", () => {
    const before = [...running([contact(1), contact(2)]), dialed(1), paused("manual")];
    const again: CampaignEvent = {
      type: "CampaignSettingsChanged",
      data: { ...moment, changes: {}, pins: { greetingMessage: "Good evening" } },
    };
    const changedTwice = state(...before, said, again);
    expect(changedTwice.pins?.greetingMessage).toBe("Good evening");
    expect([...changedTwice.earlierPins]).toMatchObject([
      ["call_1", { greetingMessage: null, from: "+15005550100" }],
    ]);
    expect(state(...before, said, again, failed(1, null)).earlierPins.size).toBe(0);
  });
  it("is refused while it runs and when it is over", () => {
    given(...running(one))
      .when(change)
      .thenRefused("campaign.invalid-state", { status: "RUNNING" });
    given(...running(one), cancelled)
      .when(change)
      .thenRefused("campaign.invalid-state", { status: "CANCELLED" });
  });
});

describe("the runner's judgement", () => {
  it.each([
    [
      "phone_number_inactive",
      {
        phoneNumberInactive: true,
        assistantUnpublished: true,
        insufficientCredits: true,
        carrierUnavailable: true,
      },
    ],
    [
      "assistant_unpublished",
      { assistantUnpublished: true, insufficientCredits: true, carrierUnavailable: true },
    ],
    ["insufficient_credits", { insufficientCredits: true, carrierUnavailable: true }],
    ["carrier_unavailable", { carrierUnavailable: true, assistantUnavailable: true }],
    ["assistant_unavailable", { assistantUnavailable: true }],
  ] as const)("pauses for the first reason of the order that holds: %s", (reason, world) =>
    given(...running(one))
      .when(judge(world))
      .thenEvents({ type: "CampaignPaused", data: { ...moment, reason, nextWindowOpensAt: null } }),
  );

  it("judges the window after number and assistant, before credits", () => {
    const evening = { window: { start: 18, end: 20 } };
    const opens = "2026-09-01T15:00:00.000Z";
    given(...running(one, evening))
      .when(judge({ insufficientCredits: true }))
      .thenEvents({
        type: "CampaignPaused",
        data: { ...moment, reason: "outside_call_window", nextWindowOpensAt: opens },
      });
    expect(
      given(...running(one, evening))
        .when(judge({ assistantUnpublished: true }))
        .events(),
    ).toMatchObject([{ data: { reason: "assistant_unpublished" } }]);
  });
  it("pauses for the window on a date on which nobody is called, until the next one", () => {
    const window = { start: 9, end: 18, startMinute: 45, days: [1, 2, 4], excludedDates: ["2026-09-01"] };
    given(...running(one, { window }))
      .when(judge({}))
      .thenEvents({
        type: "CampaignPaused",
        data: { ...moment, reason: "outside_call_window", nextWindowOpensAt: "2026-09-03T06:45:00.000Z" },
      });
  });
  it("counts who waits for a retry among those who are left to call", () =>
    given(...running([contact(1), contact(2)]), dialed(1), failed(1, at(90)))
      .when(judge({ insufficientCredits: true }))
      .thenTypes("CampaignPaused"));
  it("lets it run when nothing holds", () =>
    given(...running(one))
      .when(judge({}))
      .thenEvents());
  it("needs nobody's window, number or credits when there is nobody left to call", () =>
    given(...running(one), dialed(1))
      .when(judge({ insufficientCredits: true, phoneNumberInactive: true }))
      .thenEvents());
  it.each([
    "outside_call_window",
    "insufficient_credits",
    "carrier_unavailable",
    "assistant_unavailable",
  ] as const)("resumes from %s by itself", (reason) => {
    given(...running(one), paused(reason))
      .when(judge({}))
      .thenEvents({ type: "CampaignResumed", data: { ...moment, by: "system" } });
    expect(nextAction(state(...running(one), paused(reason)), null).kind).toBe("resume");
  });
  it.each(["manual", "phone_number_inactive", "assistant_unpublished"] as const)(
    "never resumes from %s",
    (reason) => {
      given(...running(one), paused(reason))
        .when(judge({}))
        .thenEvents();
      expect(nextAction(state(...running(one), paused(reason)), null).kind).toBe("let_go");
    },
  );
  it("changes the reason when another one holds, and is quiet when it is the same", () => {
    given(...running(one), paused("insufficient_credits"))
      .when(judge({ insufficientCredits: true }))
      .thenEvents();
    expect(
      given(...running(one), paused("insufficient_credits"))
        .when(judge({ phoneNumberInactive: true }))
        .events(),
    ).toMatchObject([{ type: "CampaignPaused", data: { reason: "phone_number_inactive" } }]);
  });
  it("tells a new opening, when added contacts or other settings bring it forward", () => {
    const waiting = [
      ...running(one, { window: { start: 18, end: 20 } }),
      paused("outside_call_window", at(9)),
    ];
    const opens = "2026-09-01T15:00:00.000Z";
    const told = given(...waiting)
      .when(judge({}))
      .events();
    expect(told).toMatchObject([{ type: "CampaignPaused", data: { nextWindowOpensAt: opens } }]);
    given(...waiting, ...told)
      .when(judge({}))
      .thenEvents();
  });
  it("says nothing of a campaign that is not there, or not begun", () => {
    given().when(judge({})).thenEvents();
    given(...created(one))
      .when(judge({ insufficientCredits: true }))
      .thenEvents();
  });
});

describe("a refusal", () => {
  it("names the state that the campaign is in", () => {
    expect(() =>
      given(...running(one), paused("manual"))
        .when({ type: "StartCampaign", world: FINE, now })
        .events(),
    ).toThrow(expect.objectContaining({ code: "campaign.invalid-state", details: { status: "PAUSED" } }));
  });
});

describe("completion", () => {
  const complete = { type: "CompleteIfDone", now } as const;
  it("comes when nobody is pending, waiting or in a call, also from paused", () => {
    const later = { ...complete, now: at(61) };
    const completedLater = { ...completed, data: { ...moment, at: at(61) } };
    given(...running(one), dialed(1), succeeded(1))
      .when(later)
      .thenEvents(completedLater);
    given(...running(one), dialed(1), paused("manual"), failed(1, null))
      .when(later)
      .thenEvents(completedLater);
    expect(state(...running(one), dialed(1), succeeded(1), completed)).toMatchObject({
      status: "COMPLETED",
      completedAt: at(5),
      pauseReason: null,
    });
  });
  it("waits for everybody", () => {
    given(...running(one))
      .when(complete)
      .thenEvents();
    given(...running(one), dialed(1))
      .when(complete)
      .thenEvents();
    given(...running(one), dialed(1), failed(1, at(90)))
      .when(complete)
      .thenEvents();
  });
  it("happens once, and only after the start", () => {
    given(...running(one), dialed(1), succeeded(1), completed)
      .when(complete)
      .thenEvents();
    given(...created(one), cancelled)
      .when(complete)
      .thenEvents();
    given(...created([]))
      .when(complete)
      .thenEvents();
  });
});

describe("a campaign that was not started", () => {
  it("dials nobody", () =>
    given(...created(one))
      .when({ type: "DialDueContacts", granted: [granted(1)], suppressed: [], now })
      .thenEvents());
  it("has its times", () =>
    expect(state(...created(one), started)).toMatchObject({
      createdAt: at(-1),
      startedAt: at(0),
      lastAt: at(0),
      owner: "usr_1",
    }));
});
