import { describe, expect, it } from "vitest";
import { AUDIT_RULES, type BrokenRule } from "../../../application/audit/broken-rule.ts";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import { withShortMinutes } from "../../../simulation/carrier/short-minutes.ts";
import { FAR_SIDE } from "../../domain/call/example-call.ts";
import {
  at,
  campaignId,
  contact,
  FINE,
  granted,
  OTHER_ASSISTANT,
} from "../../domain/campaign/example-campaign.ts";
import {
  recorded,
  recordOutcome,
  requestOf,
  type Story,
  startedStory,
  wholeStory,
} from "./example-history.ts";
import { added, both, changed, type Plant } from "./plant.ts";
import { callbackAgreed, PLANTED_CALLBACKS, unfinished } from "./planted-callbacks.ts";
import { ASKED, erased, PLANTED_CONVERSATIONS, talks } from "./planted-conversations.ts";
import { extra, PLANTED, pause } from "./planted-violations.ts";
import { PLANTED_ASKED } from "./policy/planted-asked.ts";
import { PLANTED_POLICIES } from "./policy/planted-policies.ts";

const ALL_PLANTED = [...PLANTED, ...PLANTED_CONVERSATIONS, ...PLANTED_CALLBACKS];
const OPTIONS = { now: null, outcomes: ASKED };
const findings = (story: Story, plant: Plant, options = OPTIONS): readonly BrokenRule[] =>
  verifyCampaign(recorded(plant(story.log)), options);

const deletedCampaign: DomainEvent = { type: "CampaignDeleted", data: { campaignId, at: at(5) } };
const skippedByRequest: DomainEvent = {
  type: "ContactSkipped",
  data: { campaignId, at: at(4), contactId: "ctc_1", reason: "by_request", outcome: "skipped" },
};
/** As it is read when the key of the campaign is erased. */
const withoutContacts = (log: readonly DomainEvent[]): DomainEvent[] =>
  log.map((event) =>
    event.type === "ContactsImported" ? { ...event, data: { ...event.data, contacts: [] } } : event,
  );

describe("a history in which every rule was kept", () => {
  it("has nothing to report", () => {
    const { log } = wholeStory();
    expect(log.filter(({ type }) => type === "ContactDialed")).toHaveLength(4);
    expect(log.at(-1)?.type).toBe("CampaignCompleted");
    expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
  });
  it("may hold conversations, and words of them that were erased", () => {
    const { log } = wholeStory();
    expect(talks(log)).toHaveLength(log.length + 14);
    expect(verifyCampaign(recorded(talks(log)), OPTIONS)).toEqual([]);
    expect(verifyCampaign(recorded(erased(log)), OPTIONS)).toEqual([]);
  });
  it("may hold callbacks that were agreed", () => {
    const { log } = wholeStory();
    expect(verifyCampaign(recorded(unfinished(callbackAgreed())(log)), OPTIONS)).toEqual([]);
    // More than may be agreed: the contact succeeds as ever.
    expect(verifyCampaign(recorded(callbackAgreed({ left: 0, due: null })(log)), OPTIONS)).toEqual([]);
  });
  it("may be that of a deleted campaign, whose contacts are erased", () => {
    const { log } = startedStory([contact(1), contact(2)]);
    const pending = log.slice(
      0,
      log.findIndex(({ type }) => type === "CampaignStarted"),
    );
    const deleted = [...pending, skippedByRequest, deletedCampaign];
    expect(verifyCampaign(recorded(deleted), OPTIONS)).toEqual([]);
    expect(verifyCampaign(recorded(withoutContacts(deleted)), OPTIONS)).toEqual([]);
    const [found] = verifyCampaign(recorded(withoutContacts(pending)), OPTIONS);
    expect(found).toMatchObject({
      rule: "import-sealed",
      problem: "Contacts are erased, and the campaign was not deleted",
      events: [{ event: { type: "ContactsImported" } }],
    });
  });
  it("may be paused, changed, resumed and cancelled, with calls that end later", () => {
    const story = startedStory([contact(1), contact(2), contact(3)])
      .campaign({ type: "PauseCampaign", now: at(1) })
      .campaign({
        type: "ChangeSettings",
        changes: { maxConcurrentCalls: 1, retryIntervalMins: 1 },
        now: at(1),
      })
      .campaign({ type: "ResumeCampaign", by: "api", world: FINE, now: at(2) })
      .dial(3, [1, 1])
      .end(1, 50, "no_answer")
      .dial(51, [2, 2])
      .campaign({ type: "SkipContact", contactId: "ctc_3", reason: "by_request", now: at(52) })
      .campaign({ type: "CancelCampaign", hangUpActiveCalls: false, now: at(53) })
      .end(2, 60, "busy");
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("may change who speaks, from where and what, and a call keeps what it was dialled with", () => {
    const pins = { from: "+15005550111", assistant: OTHER_ASSISTANT, greetingMessage: "Good day" } as const;
    const grants = [granted(1, 1, { dialAt: at(3), dialBy: at(18) })];
    const story = startedStory([contact(1), contact(2)])
      .campaign({ type: "DialDueContacts", granted: grants, suppressed: [], now: at(3) })
      .campaign({ type: "PauseCampaign", now: at(4) })
      .campaign({ type: "ChangeSettings", changes: {}, pins, now: at(5) })
      .campaign({ type: "ResumeCampaign", by: "api", world: FINE, now: at(6) });
    const early = requestOf(story, "call_1");
    if (early === null) throw new Error("no dial");
    const beginning = { type: "BeginDialing", now: at(7), suppressed: false, carrier: FAR_SIDE } as const;
    story
      .call("call_1", { type: "StartCall", request: { ...early, at: at(7) } })
      .call("call_1", beginning)
      .campaign({
        type: "DialDueContacts",
        granted: [granted(2, 2, { dialAt: at(8), dialBy: at(23) })],
        suppressed: [],
        now: at(8),
      });
    const late = requestOf(story, "call_2");
    if (late === null) throw new Error("no dial");
    const { from } = pins;
    const asked = { ...late, from, assistant: OTHER_ASSISTANT, greetingMessage: "Good day", at: at(9) };
    const said = (request: typeof late) =>
      verifyCampaign(recorded([...story.log, { type: "CallRequested", data: request }]), OPTIONS).map(
        ({ rule }) => rule,
      );
    expect(said(asked)).toEqual([]);
    expect(said({ ...asked, greetingMessage: "Hello" })).toEqual(["texts-as-pinned"]);
    expect(said({ ...asked, from: early.from })).toEqual(["line-as-pinned"]);
    expect(said({ ...asked, assistant: early.assistant })).toEqual(["line-as-pinned"]);
  });
  it("may repeat an attempt that the carrier never had, whatever reasons the campaign names", () => {
    const story = startedStory([contact(1)], { retryOn: [] })
      .dial(3, [1, 1])
      .call("call_1", {
        type: "RecordRejected",
        endReason: "not_placed",
        error: { code: "not_placed", message: "away", carrierCode: null },
        now: at(5),
      });
    recordOutcome(story, "call_1", 6);
    expect(story.log.at(-1)).toMatchObject({ type: "ContactAttemptFailed", data: { retryAt: at(35) } });
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("may have forgotten its words", () => {
    const { log } = wholeStory().call("call_1", { type: "EraseContent", erasureId: "ers_1", now: at(900) });
    const silent = (texts: object) =>
      log.map(
        (event): DomainEvent =>
          event.type === "CallRequested" && event.data.callId === "call_1"
            ? { ...event, data: { ...event.data, ...texts } }
            : event,
      );
    const gone = { greetingMessage: null, specialInstructions: null, voicemailMessage: null };
    expect(verifyCampaign(recorded(silent(gone)), OPTIONS)).toEqual([]);
    const kept = silent(gone).filter(({ type }) => type !== "CallContentErased");
    expect(verifyCampaign(recorded(kept), OPTIONS).map(({ rule }) => rule)).toContain("texts-as-pinned");
  });
  it("may hold contacts that were added, and an import that was given up", () => {
    const importing = (importId: "imp_2" | "imp_3", number: number) =>
      ({
        type: "ImportContacts",
        campaignId,
        importId,
        firstIndex: 0,
        contacts: [contact(number)],
        now: at(5),
      }) as const;
    const rejected = { count: 0, items: [] };
    const story = startedStory([contact(1)])
      .campaign(importing("imp_2", 2))
      .campaign(importing("imp_3", 3))
      .campaign({ type: "AddContacts", importId: "imp_2", added: 1, rejected, now: at(6) })
      .campaign({ type: "AbandonImport", importId: "imp_3", now: at(7) })
      .dial(8, [2, 2]);
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("may hold 10,000 contacts, and not one more", () => {
    const rules = (more: number) =>
      findings(
        startedStory([contact(1)]),
        extra(Array.from({ length: more }, (_, index) => contact(index + 2))),
      ).map(({ rule, problem }) => `${rule}: ${problem}`);
    expect(rules(9_999)).toEqual([]);
    expect(rules(10_000)).toEqual(["import-sealed: The campaign has 10001 contacts"]);
  });
  it("is not touched by events of other kinds that stand between its own", () => {
    const { log } = wholeStory();
    const squad = [
      "SquadCreated",
      "SquadChanged",
      "SquadMemberAdded",
      "SquadMemberChanged",
      "SquadMemberRemoved",
      "SquadHandoffAdded",
      "SquadHandoffChanged",
      "SquadHandoffRemoved",
      "SquadDeleted",
    ].map((type) => ({ type, data: { squadId: "sqd_1", at: at(1) } }) as DomainEvent);
    const events = recorded(log);
    const others = squad.map((event, revision) => ({
      event,
      stream: "squad-sqd_1",
      revision,
      position: "0",
    }));
    expect(verifyCampaign([...events.slice(0, 5), ...others, ...events.slice(5)], OPTIONS)).toEqual([]);
  });
  it("may call a number again when its call is over, for another contact", () => {
    const same = { phoneNumber: "+14155550101" } as const;
    const story = startedStory([contact(1, same), contact(2, same)])
      .dial(3, [1, 1])
      .end(1, 40, "busy")
      .dial(60, [2, 2]);
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("may retry at once where the interval is nothing", () => {
    const story = startedStory([contact(1)], { maxRetries: 1, retryIntervalMins: 0 })
      .dial(3, [1, 1])
      .end(1, 40, "busy")
      .dial(41, [1, 2]);
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
    const told = changed("ContactAttemptFailed", 0, () => ({ retryIntervalMillis: 1 }));
    expect(findings(story, told).map(({ problem }) => problem)).toEqual([
      "1 ms are no 0 minutes",
      expect.any(String),
    ]);
  });
  it("may repeat what the carrier never had, beyond the budget", () => {
    let story = startedStory([contact(1)], { maxRetries: 1 });
    for (const attempt of [1, 2, 3]) {
      story = story.dial(attempt * 100, [1, attempt]);
      story.call(`call_${attempt}`, {
        type: "ExpireDeadline",
        lookup: "absent",
        now: at(attempt * 100 + 25),
      });
      recordOutcome(story, `call_${attempt}`, attempt * 100 + 26);
    }
    expect(story.log.filter(({ type }) => type === "ContactAttemptFailed")).toHaveLength(3);
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("keeps what was promised before the settings changed", () => {
    const story = startedStory([contact(1)], { maxRetries: 2 })
      .dial(3, [1, 1])
      .end(1, 50, "busy")
      .campaign({ type: "PauseCampaign", now: at(60) })
      .campaign({ type: "ChangeSettings", changes: { maxRetries: 0 }, now: at(60) })
      .campaign({ type: "ResumeCampaign", by: "api", world: FINE, now: at(61) })
      .dial(400, [1, 2])
      .end(2, 450, "busy");
    expect(story.log.at(-1)).toMatchObject({ data: { attempt: 2, maxAttempts: 1, retryAt: null } });
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
  });
  it("may have been simulated with short minutes, whoever looks at it later", () => {
    const log = shortMinutes();
    expect(log.findLast(({ type }) => type === "ContactDialed")?.data).toMatchObject({
      at: at(26),
      attempt: 2,
    });
    expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
  });
  it("may be under way: nobody is late as long as nobody says what time it is", () => {
    const story = startedStory([contact(1), contact(2)]).dial(3, [1, 1]);
    expect(verifyCampaign(recorded(story.log), OPTIONS)).toEqual([]);
    expect(verifyCampaign(recorded(story.log), { ...OPTIONS, now: at(600) })).toEqual([]);
  });
});

describe("texts that are too long", () => {
  const pinned = (texts: object): Plant => changed("CampaignCreated", 0, () => texts);
  const said = (greetingMessage: string): Plant => changed("CallRequested", 0, () => ({ greetingMessage }));
  const story = () =>
    startedStory([contact(1)], { maxRetries: 1 })
      .dial(3, [1, 1])
      .end(1, 50, "busy");
  const long = "x".repeat(5_000);

  it("were said before there was a limit", () =>
    expect(findings(story(), both(pinned({ greetingMessage: long }), said(long)))).toEqual([]));

  it("end a call that is stored without any, before it is dialled", () => {
    const grant = granted(1, 1, { dialAt: at(3), dialBy: at(18) });
    const told = startedStory([contact(1)], { maxRetries: 1 });
    told.campaign({ type: "DialDueContacts", granted: [grant], suppressed: [], now: at(3) });
    const request = requestOf(told, "call_1");
    if (request === null) throw new Error("no dial");
    told
      .call("call_1", { type: "StartCall", request: { ...request, greetingMessage: "", at: at(4) } })
      .call("call_1", {
        type: "BeginDialing",
        now: at(4),
        suppressed: false,
        carrier: FAR_SIDE,
        invalidText: "too long",
      });
    recordOutcome(told, "call_1", 5);
    expect(told.log.at(-1)).toMatchObject({ data: { endReason: "invalid_text", retryAt: null } });
    expect(findings(told, pinned({ placeholders: 2, greetingMessage: long }))).toEqual([]);
  });
});

it("a campaign that starts by itself at its time breaks no rule", () => {
  const inTime = both(
    changed("CampaignCreated", 0, (data) => ({ settings: { ...data.settings, startAt: at(0) } })),
    changed("CampaignStarted", 0, () => ({ by: "system" })),
  );
  expect(findings(wholeStory(), inTime)).toEqual([]);
});

describe("a retry plan", () => {
  const plan = [
    { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
    { endReasons: ["no_answer", "unreachable"], afterMins: [60], sameDay: false },
  ] as const;
  const nextDay = 20 * 3_600;
  /** Busy twice, then nobody answers, and is reached the next day at 9. */
  const told = (decider = campaignDecider) =>
    startedStory([contact(1)], { window: { start: 9, end: 18 }, maxRetries: 5, retryPlan: plan }, decider)
      .dial(3, [1, 1])
      .end(1, 10, "busy")
      .dial(610, [1, 2])
      .end(2, 620, "busy")
      .dial(620 + 1_800, [1, 3])
      .end(3, 2_460, "no_answer")
      .dial(nextDay, [1, 4])
      .end(4, nextDay + 30, "customer_ended")
      .campaign({ type: "CompleteIfDone", now: at(nextDay + 31) });

  it("is kept, in minutes that are shorter too: a day is a day", () => {
    for (const decider of [campaignDecider, withShortMinutes(campaignDecider, 1_000)]) {
      const { log } = told(decider);
      const rows = log.filter((event) => event.type === "ContactAttemptFailed").map(({ data }) => data);
      expect(rows.map(({ planRow }) => planRow)).toEqual([0, 0, 1]);
      expect(rows.at(-1)?.retryAt).toBe(at(nextDay));
      expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
    }
    const [first] = told(withShortMinutes(campaignDecider, 1_000)).log.filter(
      ({ type }) => type === "ContactAttemptFailed",
    );
    expect(first?.data).toMatchObject({ retryAt: at(20), retryIntervalMillis: 10_000 });
  });

  it("is judged by the settings of the moment at which the attempt ended", () => {
    const { log } = startedStory([contact(1)], { maxRetries: 5, retryPlan: plan.slice(0, 1) })
      .dial(3, [1, 1])
      .end(1, 10, "busy")
      .campaign({ type: "PauseCampaign", now: at(20) })
      .campaign({ type: "ChangeSettings", changes: { retryPlan: null }, now: at(21) })
      .campaign({ type: "ResumeCampaign", by: "api", world: FINE, now: at(22) })
      .dial(610, [1, 2])
      .end(2, 620, "busy");
    expect(log.at(-1)).toMatchObject({ data: { retryAt: at(920) } });
    expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
  });
});

describe("an assistant that fails", () => {
  const failing = () =>
    startedStory([contact(1)], { maxRetries: 0 })
      .dial(3, [1, 1])
      .end(1, 40, "assistant_error")
      .dial(400, [1, 2])
      .end(2, 440, "assistant_error");

  it("is tried again once, whatever the budget", () => {
    const { log } = failing();
    const outcomes = log.filter(({ type }) => type === "ContactAttemptFailed");
    expect(outcomes).toMatchObject([{ data: { retryAt: at(340) } }, { data: { retryAt: null } }]);
    expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
  });
  it("is found out when it is tried once more", () =>
    expect(
      findings(
        failing(),
        changed("ContactAttemptFailed", 1, () => ({ retryAt: at(740) })),
      ),
    ).toMatchObject([{ rule: "retry-within-budget" }]));
});

describe("a history in which a rule was broken", () => {
  it.each(ALL_PLANTED)("%s: %s", (_problem, rule, plant) => {
    const found = findings(wholeStory(), plant).filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
    expect(found[0]?.problem).not.toBe("");
  });

  it("is found out for every rule there is", () => {
    const planted = new Set([
      ...[...ALL_PLANTED, ...PLANTED_POLICIES, ...PLANTED_ASKED].map(([, rule]) => rule),
      "history-complete",
      "every-attempt-ends",
    ]);
    expect([...planted].toSorted()).toEqual(Object.keys(AUDIT_RULES).toSorted());
  });

  it("names the events that break it together", () => {
    const [found] = findings(wholeStory(), added(pause, "before", "ContactDialed", 2));
    expect(found).toMatchObject({
      rule: "dial-only-while-running",
      events: [{ event: { type: "CampaignPaused" } }, { event: { type: "ContactDialed" }, revision: 8 }],
    });
  });

  it("has a gap: an event of a stream is missing", () => {
    const events = recorded(wholeStory().log).filter(({ event }) => event.type !== "CallConnected");
    expect(verifyCampaign(events, OPTIONS)).toMatchObject([
      { rule: "history-complete", events: [{ event: { type: "CallCompleted" } }] },
      { rule: "history-complete", events: [{ event: { type: "CallCompleted" } }] },
    ]);
  });

  it("is without an end: a call that goes on beyond all its limits, or without an outcome", () => {
    const open = startedStory([contact(1)]).dial(3, [1, 1]);
    const request = requestOf(open, "call_1");
    expect(request?.dialBy).toBe(at(18));
    const limit = 18 + 45 + 600 + 660 + 300;
    expect(verifyCampaign(recorded(open.log), { ...OPTIONS, now: at(limit) })).toEqual([]);
    expect(verifyCampaign(recorded(open.log), { ...OPTIONS, now: at(limit + 1) })).toMatchObject([
      {
        rule: "every-attempt-ends",
        problem: "call_1 never ended",
        events: [{}, { event: { type: "CallDialingBegan" } }],
      },
    ]);
    const forgotten = open.end(1, 40, "busy").log.filter(({ type }) => type !== "ContactAttemptFailed");
    expect(verifyCampaign(recorded(forgotten), { ...OPTIONS, now: at(limit + 1) })).toMatchObject([
      { rule: "every-attempt-ends", problem: "call_1 has no outcome" },
    ]);
  });

  it("has an unknown outcome of a call that never told its end: only that one needs none", () => {
    const outcome = (endReason: "outcome_unknown" | "busy") => {
      const { log } = startedStory([contact(1)], { maxRetries: 0 })
        .dial(3, [1, 1])
        .campaign({
          type: "RecordAttemptOutcome",
          contactId: "ctc_1",
          callId: "call_1",
          endReason,
          durationSeconds: null,
          cost: 0,
          endedAt: at(20_000),
          now: at(20_000),
        });
      return verifyCampaign(recorded(log), { ...OPTIONS, now: at(40_000) }).map(({ rule }) => rule);
    };
    expect(outcome("outcome_unknown")).toEqual([]);
    expect(outcome("busy")).toEqual(["outcome-matches-call"]);
  });

  it.each([0, -50, 7, 5 * 3_600_001])("tells an interval that is not of its minutes: %i ms", (millis) => {
    const told = { retryIntervalMillis: millis, retryAt: at(50_000) };
    const log = changed("ContactAttemptFailed", 0, () => told)(shortMinutes());
    const rules = verifyCampaign(recorded(log), OPTIONS).map(({ rule }) => rule);
    expect(rules).toContain("retry-after-interval");
  });

  it("tells an unknown call of a contact that stood otherwise, or for another reason", () => {
    const skipped = (reason: "outcome_unknown" | "suppressed", contactWas: "pending" | "dialing" | null) => {
      const unknownCall =
        contactWas === null
          ? {}
          : { unknownCall: { callId: "call_9", calledAt: at(1), contactWas } as const };
      const data = { campaignId, at: at(5), contactId: "ctc_1", reason, ...unknownCall } as const;
      const outcome = contactWas === null ? "skipped" : "failed";
      const { log } = startedStory([contact(1)]);
      const all = [...log, { type: "ContactSkipped", data: { ...data, outcome } } as const];
      return verifyCampaign(recorded(all), OPTIONS).map(({ rule }) => rule);
    };
    expect(skipped("outcome_unknown", "pending")).toEqual([]);
    expect(skipped("suppressed", null)).toEqual([]);
    expect(skipped("outcome_unknown", "dialing")).toEqual(["counts-add-up"]);
    expect(skipped("suppressed", "pending")).toEqual(["counts-add-up"]);
    expect(skipped("outcome_unknown", null)).toEqual(["counts-add-up"]);
  });

  it("promises a retry before the interval that the promise itself tells", () => {
    const early = changed("ContactAttemptFailed", 0, () => ({ retryAt: at(25.01) }))(shortMinutes());
    expect(verifyCampaign(recorded(early), OPTIONS).map(({ rule }) => rule)).toContain(
      "retry-after-interval",
    );
  });

  it("repeats an attempt that the carrier never had too early, or too often", () => {
    const told = (attempt: number) =>
      startedStory([contact(1)]).log.concat(
        Array.from({ length: attempt }, (_, index) => unplaced(index + 1)).flat(),
      );
    const rules = (log: Parameters<Plant>[0]) =>
      verifyCampaign(recorded(log), OPTIONS).map(({ rule }) => rule);
    expect(rules(told(10))).not.toContain("retry-within-budget");
    expect(rules(told(11))).toContain("retry-within-budget");
    expect(rules(told(1))).not.toContain("retry-after-interval");
    expect(rules(changed("ContactAttemptFailed", 0, () => ({ retryAt: at(133) }))(told(1)))).toContain(
      "retry-after-interval",
    );
  });
});

/** A retry after five minutes of 10 ms each, counted from second 25. */
function shortMinutes(): Story["log"] {
  const decider = withShortMinutes(campaignDecider, 10);
  const story = startedStory([contact(1)], { maxRetries: 1 }, decider).dial(3, [1, 1]);
  story.call("call_1", { type: "RecordRejected", endReason: "busy", error: null, now: at(25) });
  return recordOutcome(story, "call_1", 25).dial(26, [1, 2]).log;
}

/** An attempt that the carrier never had, a hundred seconds after the one before. */
function unplaced(attempt: number): Story["log"] {
  const story = startedStory([contact(1)], { maxRetries: null, retryIntervalMins: null });
  story.dial(attempt * 100, [1, attempt]);
  story.call(`call_${attempt}`, { type: "ExpireDeadline", lookup: "absent", now: at(attempt * 100 + 25) });
  recordOutcome(story, `call_${attempt}`, attempt * 100 + 26);
  const later = { attempt, maxAttempts: 3 + attempt, retryAt: at(attempt * 100 + 55) };
  return story.log
    .slice(3)
    .map((event) =>
      event.type === "ContactAttemptFailed" || event.type === "ContactDialed"
        ? ({ ...event, data: { ...event.data, ...later } } as typeof event)
        : event,
    );
}
