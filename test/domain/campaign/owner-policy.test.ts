import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WorldCondition } from "../../../domain/campaign/conditions.ts";
import { type CampaignCommand, campaignDecider } from "../../../domain/campaign/decider.ts";
import { type ContactHold, dueContacts, nextDueAt } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import { nextAction } from "../../../domain/campaign/next-action.ts";
import { waitingOf } from "../../../domain/campaign/progress.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { Policy, PolicyInForce } from "../../../domain/policy/policy.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { ContactId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { at, attemptEnded, contact, created, FINE, granted, paused, running } from "./example-campaign.ts";

const RULES: Policy = {
  callableHours: null,
  attemptsPerNumber: { day: 1 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};
const policy = (version = 1, rules: Partial<Policy> = {}): PolicyInForce => ({
  version,
  policy: { ...RULES, ...rules },
});

const stateOf = (events: readonly CampaignEvent[]) =>
  fold(campaignDecider, campaignDecider.initialState(), events);
function handle(state: CampaignState, command: CampaignCommand): readonly CampaignEvent[] {
  const events = campaignDecider.decide(command, state);
  fold(campaignDecider, state, events);
  return events;
}

const hold = (contactId: ContactId, changes: Partial<ContactHold> = {}): ContactHold => ({
  ...{ contactId, rule: "attemptsPerNumber", until: at(900), heldBy: null, policyVersion: 1 },
  ...{ value: 1, limit: "1/day", ...changes },
});
const refused = (
  held: readonly ContactHold[],
  unknownZone: readonly ContactId[] = [],
  now = at(3),
): CampaignCommand => ({ type: "DialDueContacts", granted: [], suppressed: [], held, unknownZone, now });

describe("dials that the owner's policy refused", () => {
  const people = [contact(1), contact(2), contact(3)];

  it("hold their contacts, each once for the same rule, time, call and version", () => {
    const state = stateOf(running(people));
    const held = [hold("ctc_1"), hold("ctc_2", { rule: "oneCallAtATime", until: null, heldBy: "call_9" })];
    expect(handle(state, refused(held))).toMatchObject([
      { type: "ContactHeld", data: { contactId: "ctc_1", until: at(900), policyVersion: 1, limit: "1/day" } },
      { type: "ContactHeld", data: { contactId: "ctc_2", until: null, heldBy: "call_9" } },
    ]);
    expect(handle(state, refused(held, [], at(40)))).toEqual([]);
    const others = [
      hold("ctc_1", { until: at(1_800) }),
      hold("ctc_2", { rule: "oneCallAtATime", until: null, heldBy: "call_10" }),
    ];
    expect(handle(state, refused(others, [], at(50)))).toHaveLength(2);
    expect(handle(state, refused([hold("ctc_1", { until: at(1_800), policyVersion: 2 })]))).toHaveLength(1);
    expect([state.counts.pending, state.contacts.holds.size]).toEqual([3, 2]);
  });

  it("hold nobody by what has neither a time nor a name, is over, or is of a contact that is not to be called", () => {
    const state = stateOf(running(people));
    const held = [hold("ctc_1", { until: null }), hold("ctc_2", { until: at(3) }), hold("ctc_9")];
    expect(handle(state, refused(held))).toEqual([]);
    handle(state, { type: "SkipContact", contactId: "ctc_3", reason: "by_request", now: at(3) });
    expect(handle(state, refused([hold("ctc_3")]))).toEqual([]);
  });

  it("skip who has no known zone, and dial nobody of them in the same command", () => {
    const state = stateOf(running(people));
    const command = {
      ...({ type: "DialDueContacts", suppressed: [], now: at(3) } as const),
      granted: [granted(1), granted(2), granted(3)],
      held: [hold("ctc_1")],
      unknownZone: ["ctc_2"] as const,
    };
    expect(handle(state, command)).toMatchObject([
      { type: "ContactSkipped", data: { contactId: "ctc_2", reason: "zone_unknown", outcome: "skipped" } },
      { type: "ContactHeld", data: { contactId: "ctc_1" } },
      { type: "ContactDialed", data: { contactId: "ctc_3" } },
    ]);
  });

  it("skip who has given no consent; of several reasons the first of the rules counts", () => {
    const state = stateOf(running(people));
    const command = {
      ...({ type: "DialDueContacts", suppressed: ["ctc_3"], now: at(3) } as const),
      granted: [granted(1), granted(2), granted(3)],
      noConsent: ["ctc_2", "ctc_3"] as const,
      unknownZone: ["ctc_2"] as const,
    };
    expect(handle(state, command)).toMatchObject([
      { type: "ContactSkipped", data: { contactId: "ctc_3", reason: "suppressed" } },
      { type: "ContactSkipped", data: { contactId: "ctc_2", reason: "no_consent", outcome: "skipped" } },
      { type: "ContactDialed", data: { contactId: "ctc_1" } },
    ]);
  });

  it("dial nobody whom another process held meanwhile, until the hold or its version is over", () => {
    const granting = (policyVersion: number | null, now: Instant): CampaignCommand => {
      const { evidence, ...grant } = granted(1);
      const judged = policyVersion === null ? evidence : { ...evidence, policyVersion };
      return { type: "DialDueContacts", suppressed: [], granted: [{ ...grant, evidence: judged }], now };
    };
    const heldBy = (changes: Partial<ContactHold> = {}) => {
      const state = stateOf(running(people));
      handle(state, refused([hold("ctc_1", { rule: "eligibility", until: at(7_200), ...changes })]));
      return state;
    };
    const isDialled = (state: CampaignState, command: CampaignCommand) => handle(state, command).length === 1;
    expect(isDialled(heldBy(), granting(1, at(7_199)))).toBe(false);
    expect(isDialled(heldBy(), granting(1, at(7_200)))).toBe(true);
    expect(isDialled(heldBy(), granting(2, at(4)))).toBe(true);
    expect(isDialled(heldBy({ policyVersion: 0 }), granting(null, at(4)))).toBe(false);
    const duringCall = heldBy({ rule: "oneCallAtATime", until: null, heldBy: "call_9" });
    expect(isDialled(duringCall, granting(1, at(4)))).toBe(true);
  });

  it("are shown as waiting for the policy, while nobody else is due", () => {
    const state = stateOf(running([contact(1)]));
    const waiting = (version: number) => waitingOf(state, null, at(5), policy(version)).waitingFor;
    expect(waiting(1)).toBeNull();
    expect(waitingOf(state, null, at(5), policy(), () => true)).toEqual({ dueNow: 0, waitingFor: "policy" });
    handle(state, refused([hold("ctc_1")]));
    expect([waiting(1), waiting(2)]).toEqual(["policy", null]);
  });
});

describe("a campaign whose numbers may be dialled once a day", PROPERTY_TIMEOUT, () => {
  const DAY = 86_400_000;
  const dayOf = (now: Instant) => Math.floor(Date.parse(now) / DAY);

  it("dials each contact in the end, nobody twice a day, with at most one hold a contact and day", () => {
    const numbers = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
    const property = fc.property(numbers, fc.infiniteStream(fc.nat(9)), (given, luck) => {
      const numberOf = (row: number): PhoneNumber => `+9053212345${10 + (given[row] ?? 0)}`;
      const people = given.map((_, row) => contact(row, { phoneNumber: numberOf(row) }));
      const state = stateOf(running(people, { maxRetries: 1 }));
      const dialled = new Map<string, number>();
      let [now, version, calls, holds, asked]: [Instant, number, number, number, number] = [
        at(3),
        1,
        0,
        0,
        0,
      ];
      while (state.status !== "COMPLETED") {
        asked += 1;
        expect(asked).toBeLessThan(40 * given.length + 40);
        const due = dueContacts(state, now, 5, policy(version));
        const mayDial = due.filter(({ phoneNumber }) => dialled.get(phoneNumber) !== dayOf(now));
        const held = due
          .filter((each) => !mayDial.includes(each))
          .map(({ contactId }) =>
            hold(contactId, {
              until: new Date((dayOf(now) + 1) * DAY).toISOString() as Instant,
              policyVersion: version,
            }),
          );
        const grants = mayDial.map(({ contactId }, index) =>
          granted(0, calls + index, { contactId, dialAt: now, dialBy: now }),
        );
        const events = handle(state, { type: "DialDueContacts", granted: grants, suppressed: [], held, now });
        for (const { type, data } of events) {
          if (type === "ContactHeld") holds += 1;
          if (type !== "ContactDialed") continue;
          calls += 1;
          expect(dialled.get(data.phoneNumber)).not.toBe(dayOf(now));
          dialled.set(data.phoneNumber, dayOf(now));
          const how = (luck.next().value ?? 0) < 5 ? "busy" : "customer_ended";
          const end = attemptEnded(0, how, { contactId: data.contactId, callId: data.callId });
          handle(state, { ...end, endedAt: now, now });
        }
        handle(state, { type: "CompleteIfDone", now });
        if (luck.next().value === 0) version += 1;
        const next = nextDueAt(state, now, policy(version));
        if (next !== null) now = next > now ? next : plusMillis(now, 1_000);
      }
      expect(calls).toBeGreaterThanOrEqual(given.length);
      const days = dayOf(now) - dayOf(at(0)) + 1;
      expect(holds).toBeLessThanOrEqual(given.length * days * version);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 4 });
  });
});

describe("a policy that refuses all who are left", () => {
  const NOWHERE: readonly PhoneNumber[] = ["+80012345678", "+80012345679"];
  const nowhere = NOWHERE.map((phoneNumber, index) => contact(index + 1, { phoneNumber }));
  const world = (inForce: PolicyInForce | null) => ({ ...FINE, policy: inForce });
  const judge = (state: CampaignState, inForce: PolicyInForce | null) =>
    handle(state, { type: "JudgeConditions", world: world(inForce), now: at(5) });
  const start = (people = nowhere, inForce: PolicyInForce | null = policy()) => {
    const state = stateOf(created(people));
    handle(state, { type: "StartCampaign", world: world(inForce), now: at(1) });
    return state;
  };
  const resume = (state: CampaignState, inForce = policy()) =>
    handle(state, { type: "ResumeCampaign", by: "api", world: world(inForce), now: at(6) });

  it("pauses the campaign at its start, and it stays so", () => {
    const state = start();
    expect(state).toMatchObject({ status: "PAUSED", pauseReason: "policy_refuses_all" });
    expect(judge(state, policy())).toEqual([]);
    expect(nextAction(state, policy()).kind).not.toBe("resume");
  });

  it("pauses nothing for one contact, for one of many, or when no rule asks for a zone", () => {
    expect(start(nowhere.slice(0, 1)).status).toBe("RUNNING");
    expect(start([...nowhere, contact(3)]).status).toBe("RUNNING");
    expect(
      start([...nowhere, contact(3, { phoneNumber: "+80012345670", timezone: "Europe/Rome" })]).status,
    ).toBe("RUNNING");
    expect(start(nowhere, policy(1, { attemptsPerNumber: null })).status).toBe("RUNNING");
    expect(start(nowhere, null).status).toBe("RUNNING");
  });

  it("is judged again with each new version: the campaign resumes, or is paused by that one", () => {
    const state = start();
    expect(nextAction(state, policy(2)).kind).toBe("resume");
    expect(judge(state, policy(2))).toMatchObject([
      { type: "CampaignPaused", data: { reason: "policy_refuses_all", policyVersion: 2 } },
    ]);
    expect(judge(state, policy(2))).toEqual([]);
    expect(judge(state, policy(3, { attemptsPerNumber: null }))).toMatchObject([{ type: "CampaignResumed" }]);
    expect(judge(state, policy(4))).toMatchObject([{ type: "CampaignPaused", data: { policyVersion: 4 } }]);
  });

  it("ends contacts one by one after a resume by hand, until it has another version", () => {
    const state = start();
    expect(resume(state)).toMatchObject([{ type: "CampaignResumed", data: { by: "api", policyVersion: 1 } }]);
    expect(judge(state, policy())).toEqual([]);
    const pause = { ...world(policy()), insufficientCredits: true };
    handle(state, { type: "JudgeConditions", world: pause, now: at(7) });
    expect(judge(state, policy())).toMatchObject([{ type: "CampaignResumed", data: { by: "system" } }]);
    expect(judge(state, policy(2))).toMatchObject([{ type: "CampaignPaused", data: { policyVersion: 2 } }]);
  });

  it("does not pause a running campaign in which others were dialled by it: it skips them", () => {
    const state = start([...nowhere, contact(3)]);
    const evidence = { ...granted(3).evidence, policyVersion: 1, judgedAt: at(2), checks: [], zones: null };
    handle(state, {
      type: "DialDueContacts",
      granted: [granted(3, 3, { evidence })],
      suppressed: [],
      now: at(3),
    });
    expect(judge(state, policy())).toEqual([]);
    expect(judge(state, policy(2))).toMatchObject([{ type: "CampaignPaused" }]);
  });

  it("is judged when the campaign resumes by itself", () => {
    const state = stateOf([...running(nowhere), paused("insufficient_credits")]);
    expect(judge(state, policy())).toMatchObject([
      { type: "CampaignPaused", data: { reason: "policy_refuses_all" } },
    ]);
  });
});

describe("a policy that asks for consent", () => {
  const asking = (version = 1) => policy(version, { requireConsent: true });
  const consent = (expiresAt?: Instant) => ({
    consent: { source: "form", at: at(-1_000), ...(expiresAt === undefined ? {} : { expiresAt }) },
  });
  const started = (people: readonly ImportedContact[], now = at(1)) => {
    const state = stateOf(created(people));
    handle(state, { type: "StartCampaign", world: { ...FINE, policy: asking() }, now });
    return state.pauseReason;
  };

  it("pauses a campaign in which nobody who is left has one that still counts", () => {
    expect(started([contact(1), contact(2)])).toBe("policy_refuses_all");
    expect(started([contact(1), contact(2, consent())])).toBeNull();
    expect(started([contact(1)])).toBeNull();
    const expiring = [contact(1, consent(at(60))), contact(2)];
    expect(started(expiring, at(59))).toBeNull();
    expect(started(expiring, at(60))).toBe("policy_refuses_all");
  });

  it("does not count who is not to be called any more", () => {
    const state = stateOf(created([contact(1, consent()), contact(2), contact(3)]));
    handle(state, { type: "StartCampaign", world: FINE, now: at(1) });
    handle(state, { type: "SkipContact", contactId: "ctc_1", reason: "by_request", now: at(2) });
    const world = { ...FINE, policy: asking(2) };
    expect(handle(state, { type: "JudgeConditions", world, now: at(3) })).toMatchObject([
      { type: "CampaignPaused", data: { reason: "policy_refuses_all", policyVersion: 2 } },
    ]);
  });

  it("is asked of the admission with the consent of each contact", () => {
    const state = stateOf(running([contact(1), contact(2, consent(at(60)))]));
    expect(dueContacts(state, at(3), 9, asking()).map((each) => each.consent)).toEqual([
      null,
      { at: at(-1_000), expiresAt: at(60) },
    ]);
  });
});

describe("lists that are too old", () => {
  const DAY = 86_400;
  const young = { registries: 1, oldestAsOf: at(-29 * DAY), isBehind: false };
  const monthly = policy(1, { listMaxAgeDays: 30 });
  const judge = (state: CampaignState, world: Partial<WorldCondition>, now = at(5)) =>
    handle(state, { type: "JudgeConditions", world: { ...FINE, ...world }, now });
  const campaign = () => stateOf(running([contact(1), contact(2)]));

  it("pause the campaign from the moment on at which the oldest is, and a newer one lets it go on", () => {
    const state = campaign();
    const world = { policy: monthly, lists: young };
    expect(judge(state, world, at(DAY - 1))).toEqual([]);
    expect(judge(state, world, at(DAY))).toMatchObject([
      { type: "CampaignPaused", data: { reason: "list_outdated", nextWindowOpensAt: null } },
    ]);
    expect(judge(state, world, at(DAY + 5))).toEqual([]);
    expect(nextAction(state, monthly)).toMatchObject({ kind: "resume", opensAt: null });
    expect(waitingOf(state, null, at(DAY + 5), monthly).waitingFor).toBe("policy");
    const newer = { ...world, lists: { ...young, oldestAsOf: at(0) } };
    expect(judge(state, newer, at(DAY + 6))).toMatchObject([{ data: { by: "system" } }]);
  });

  it("do so where there is none, or one without numbers; without the rule nobody asks", () => {
    for (const registries of [0, 2]) {
      const lists = { registries, oldestAsOf: null, isBehind: false };
      expect(judge(campaign(), { policy: monthly, lists })).toMatchObject([
        { data: { reason: "list_outdated" } },
      ]);
      expect(judge(campaign(), { policy: policy(), lists })).toEqual([]);
    }
  });

  it("do so without a policy where the log knows newer numbers, also after a resume by hand", () => {
    const state = campaign();
    const behind = { lists: { ...young, isBehind: true } };
    expect(judge(state, behind)).toMatchObject([{ data: { reason: "list_outdated" } }]);
    const resume = { type: "ResumeCampaign", by: "api", now: at(6) } as const;
    expect(handle(state, { ...resume, world: { ...FINE, ...behind } })).toEqual([]);
    expect(handle(state, { ...resume, world: FINE })).toMatchObject([{ type: "CampaignResumed" }]);
  });

  it("are told before the hours that are closed, and after the number that is missing", () => {
    const world = { policy: policy(1, { callableHours: { start: 1, end: 2 } }) };
    const lists = { ...young, isBehind: true };
    const state = stateOf(running([contact(1, { phoneNumber: "+905321234567" })]));
    expect(judge(state, { ...world, lists })).toMatchObject([{ data: { reason: "list_outdated" } }]);
    expect(judge(state, world)).toMatchObject([{ data: { reason: "outside_call_window" } }]);
    expect(judge(state, { ...world, lists, phoneNumberInactive: true })).toMatchObject([
      { data: { reason: "phone_number_inactive" } },
    ]);
  });
});

describe("a campaign's window beside the policy's hours", () => {
  const evening = policy(1, { callableHours: { start: 17, end: 20 } });
  const window = { start: 9, end: 18 };

  it("pauses until both are open for somebody, and is told as the closing of a due contact", () => {
    // Istanbul, 13:00. The contact of no zone is left to the judgement of its dial.
    const turkish = contact(1, { phoneNumber: "+905321234567" });
    const state = stateOf(running([turkish], { window }));
    const judged = handle(state, {
      type: "JudgeConditions",
      world: { ...FINE, policy: evening },
      now: at(5),
    });
    expect(judged).toMatchObject([
      {
        data: { reason: "outside_call_window", nextWindowOpensAt: "2026-09-01T14:00:00.000Z" },
      },
    ]);
    const unknown = stateOf(running([turkish, contact(2, { phoneNumber: "+80012345678" })], { window }));
    expect(dueContacts(unknown, at(5), 9, evening).map(({ contactId }) => contactId)).toEqual(["ctc_2"]);
    const atFive = "2026-09-01T14:30:00.000Z";
    expect(dueContacts(unknown, atFive, 9, evening)).toMatchObject([
      { contactId: "ctc_1", ownTimezone: null, windowClosesAt: "2026-09-01T15:00:00.000Z" },
      { contactId: "ctc_2", windowClosesAt: "2026-09-01T15:00:00.000Z" },
    ]);
  });
});
