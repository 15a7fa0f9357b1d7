import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { END_REASONS, isEndReason } from "../../../domain/call/end-reason.ts";
import {
  callbacksOf,
  dueMillisOf,
  isHeld,
  numberOf,
  statusOf,
} from "../../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import { type CampaignCommand, campaignDecider as realMinutes } from "../../../domain/campaign/decider.ts";
import { dueContacts, nextDueAt } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { withShortMinutes } from "../../../simulation/carrier/short-minutes.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { campaignCounts } from "./campaign-counts.ts";
import { at, campaignId, contact, created, creation, FINE, granted } from "./example-campaign.ts";

const CONTACTS = 4;
const CAP = 2;
const RETRIES = 1;
const CALLBACKS = 2;

/** Minutes of a second, so that a retry comes due within the steps. */
const campaignDecider = withShortMinutes(realMinutes, 1_000);

type Step = {
  readonly seconds: number;
  readonly make: (state: CampaignState, now: ReturnType<typeof at>, step: number) => CampaignCommand;
};

const reasons = fc.constantFrom(...Object.keys(END_REASONS).filter(isEndReason));
const worlds = fc.record({
  phoneNumberInactive: rarely(),
  assistantUnpublished: rarely(),
  insufficientCredits: rarely(),
  carrierUnavailable: rarely(),
  assistantUnavailable: rarely(),
  policy: fc.constant(null),
  silentUrls: fc.constant([]),
  lists: rarely().map((isBehind) => ({ ...NO_LISTS, isBehind })),
});

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);
}

/**
 * Commands of users and of the runner, made for the state as it is (or as a stale runner believes it to be).
 */
const make: fc.Arbitrary<Step["make"]> = fc.oneof(
  worlds.map(
    (world) =>
      (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({
        type: "StartCampaign",
        world,
        now,
      }),
  ),
  fc.constant(
    (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({ type: "PauseCampaign", now }),
  ),
  worlds.map(
    (world) =>
      (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({
        type: "ResumeCampaign",
        by: "api",
        world,
        now,
      }),
  ),
  worlds.map(
    (world) =>
      (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({
        type: "JudgeConditions",
        world,
        now,
      }),
  ),
  fc.boolean().map(
    (hangUpActiveCalls) =>
      (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({
        type: "CancelCampaign",
        hangUpActiveCalls,
        now,
      }),
  ),
  fc.constant(
    (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({ type: "DeleteCampaign", now }),
  ),
  dials(),
  dials(),
  outcomes(),
  outcomes(),
  fc.integer({ min: 1, max: CONTACTS }).map(
    (number) =>
      (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({
        type: "SkipContact",
        contactId: `ctc_${number}`,
        reason: "by_request",
        now,
      }),
  ),
  fc.constant(
    (_state: CampaignState, now: ReturnType<typeof at>): CampaignCommand => ({ type: "CompleteIfDone", now }),
  ),
);

function dials(): fc.Arbitrary<Step["make"]> {
  const contacts = fc.integer({ min: 1, max: CONTACTS });
  return fc
    .tuple(fc.array(contacts, { maxLength: 4 }), fc.array(contacts, { maxLength: 1 }))
    .map(([numbers, withoutConsent]) => (_state, now, step) => ({
      type: "DialDueContacts",
      granted: numbers.map((number, index) => granted(number, step * 10 + index)),
      suppressed: [],
      noConsent: withoutConsent.map((number) => `ctc_${number}` as const),
      now,
    }));
}

function outcomes(): fc.Arbitrary<Step["make"]> {
  const agreements = fc.option(fc.integer({ min: -10, max: 40 }), { freq: 1 });
  return fc.tuple(fc.nat(), reasons, agreements).map(([pick, endReason, ahead]) => (state, now) => {
    const live = [...state.live];
    const [callId = "call_none", row = 0] = live[pick % Math.max(1, live.length)] ?? [];
    const contactId = state.contacts.ids[row] ?? "ctc_none";
    return {
      type: "RecordAttemptOutcome",
      contactId,
      callId,
      endReason,
      durationSeconds: 10,
      cost: 0,
      endedAt: now,
      callback:
        ahead === null
          ? null
          : { callbackAt: plusMillis(now, ahead * 1_000), agreedAt: now, maxPerContact: CALLBACKS },
      now,
    };
  });
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ seconds: fc.integer({ min: 0, max: 20 }), make }),
  { maxLength: 60 },
);
const starting: Step = { seconds: 0, make: (_state, now) => ({ type: "StartCampaign", world: FINE, now }) };
const deleting: Step = { seconds: 0, make: (_state, now) => ({ type: "DeleteCampaign", now }) };

type Check = (
  before: CampaignState,
  events: readonly CampaignEvent[],
  after: CampaignState,
  command: CampaignCommand,
) => void;

/** Two contacts share a number. */
const people = [contact(1), contact(2), contact(3), contact(4, { phoneNumber: "+14155550101" })];

function play(given: readonly Step[], check: Check, first: readonly Step[] = [starting]): CampaignEvent[] {
  const log = created(people, { maxConcurrentCalls: CAP, maxRetries: RETRIES, retryIntervalMins: 5 });
  let seconds = 0;
  for (const [index, step] of [...first, ...given].entries()) {
    seconds += step.seconds;
    const before = fold(campaignDecider, campaignDecider.initialState(), log);
    const command = step.make(before, at(seconds), index);
    const events = allowed(() => campaignDecider.decide(command, before));
    log.push(...events);
    check(before, events, fold(campaignDecider, campaignDecider.initialState(), log), command);
  }
  return log;
}

function allowed(decide: () => readonly CampaignEvent[]): readonly CampaignEvent[] {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** Clocks of several processes, and commands that waited in line. */
const onAnyClock = fc.array(fc.record({ seconds: fc.integer({ min: -40, max: 40 }), make }), {
  maxLength: 60,
});

const always = (check: Check) =>
  fc.assert(
    fc.property(steps, (given) => void play(given, check)),
    { numRuns: PROPERTY_RUNS },
  );
const dialsIn = (events: readonly CampaignEvent[]) =>
  events.filter((event) => event.type === "ContactDialed");

describe("a campaign, whatever happens to it", PROPERTY_TIMEOUT, () => {
  it("counts every contact once", () =>
    always((_before, _events, after) => {
      const counts = campaignCounts(after);
      expect(
        counts.successfulCalls +
          counts.failedCalls +
          counts.pendingCalls +
          counts.activeCalls +
          counts.skippedContacts,
      ).toBe(counts.totalContacts);
      expect(counts.activeCalls).toBe(after.live.size);
      for (const status of [
        "pending",
        "dialing",
        "waiting_retry",
        "succeeded",
        "failed",
        "skipped",
      ] as const) {
        expect(after.contacts.status.filter((each) => each === status)).toHaveLength(after.counts[status]);
      }
    }));

  it("dials only while it runs, never above its cap, never a number twice at once", () =>
    always((before, events, after) => {
      if (dialsIn(events).length > 0) expect(before.status).toBe("RUNNING");
      expect(after.live.size).toBeLessThanOrEqual(CAP);
      const numbers = [...after.live.values()].map((row) => numberOf(after.contacts, row));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(new Set(numbers)).toEqual(after.liveNumbers);
    }));

  it("dials nobody whom the same command skips for want of consent, nor later", () =>
    always((before, events, after, command) => {
      if (command.type !== "DialDueContacts" || before.status !== "RUNNING") return;
      const dialled = dialsIn(events).map(({ data }) => data.contactId);
      for (const contactId of command.noConsent ?? []) {
        expect(dialled).not.toContain(contactId);
        const row = rowOf(after.contacts, contactId) ?? -1;
        expect(["skipped", "failed", "succeeded", "dialing"]).toContain(statusOf(after.contacts, row));
        expect(dueContacts(after, at(10_000), 10, null).map((each) => each.contactId)).not.toContain(
          contactId,
        );
      }
    }));

  it("is paused for lists only while they are behind", () =>
    always((_before, _events, after, command) => {
      if (command.type !== "JudgeConditions" || after.lastAt === null) return;
      const { isBehind } = command.world.lists;
      if (after.status === "RUNNING" && after.counts.pending + after.counts.waiting_retry > 0)
        expect(isBehind).toBe(false);
      if (after.pauseReason === "list_outdated" && after.counts.pending > 0) expect(isBehind).toBe(true);
    }));

  it("keeps every contact within its budget", () =>
    always((_before, _events, after) => {
      after.contacts.attempts.forEach((attempts, row) => {
        const agreed = callbacksOf(after.contacts, row);
        expect(agreed).toBeLessThanOrEqual(CALLBACKS);
        expect(attempts - agreed - (after.contacts.notPlaced[row] ?? 0)).toBeLessThanOrEqual(
          1 + RETRIES + (after.contacts.status[row] === "dialing" ? 10 : 0),
        );
      });
    }));

  it("calls nobody before the time that was agreed, and meanwhile nobody else with the number", () =>
    always((before, events) => {
      for (const { data } of dialsIn(events)) {
        const row = rowOf(before.contacts, data.contactId) ?? -1;
        const holder = [...before.contacts.callbacks.keys()].find(
          (each) =>
            each !== row &&
            numberOf(before.contacts, each) === data.phoneNumber &&
            ["dialing", "waiting_retry"].includes(statusOf(before.contacts, each) ?? ""),
        );
        expect(holder).toBeUndefined();
        if (before.contacts.callbackRows.has(row))
          expect(millisOf(data.at)).toBeGreaterThanOrEqual(dueMillisOf(before.contacts, row));
      }
    }));

  it("never reopens what is over", () =>
    always((before, _events, after) => {
      if (before.status === "COMPLETED") expect(after.status).toBe("COMPLETED");
      if (before.status === "CANCELLED") expect(after.status).toBe("CANCELLED");
      before.contacts.status.forEach((status, row) => {
        if (status === "succeeded" || status === "failed" || status === "skipped")
          expect(after.contacts.status[row]).toBe(status);
      });
    }));

  it("is never deleted once it has begun, and once it is deleted nothing is done with it", () => {
    const property = fc.property(steps, (given) => {
      expect(play(given, () => undefined).map(({ type }) => type)).not.toContain("CampaignDeleted");
      const events = play(given, () => undefined, [deleting, starting]);
      expect(events.at(-1)?.type).toBe("CampaignDeleted");
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("changes nothing when the same command comes twice, but for a new judgement", () =>
    always((_before, _events, after, command) => {
      if (
        command.type === "JudgeConditions" ||
        command.type === "ResumeCampaign" ||
        command.type === "StartCampaign"
      )
        return;
      expect(allowed(() => campaignDecider.decide(command, after))).toEqual([]);
    }));

  it("offers only whom it would dial, and says when the next one is due", () =>
    always((_before, _events, after) => {
      const now = after.lastAt ?? at(0);
      const due = dueContacts(after, now, 10, null);
      for (const { contactId } of due) {
        const number = Number(contactId.slice("ctc_".length));
        const events = campaignDecider.decide(
          { type: "DialDueContacts", granted: [granted(number, 9_999)], suppressed: [], now },
          after,
        );
        expect(dialsIn(events)).toHaveLength(after.live.size < CAP ? 1 : 0);
      }
      if (due.length > 0) expect(nextDueAt(after, now, null)).toBe(now);
      const waiting = [...after.contacts.ids.keys()].filter((row) =>
        ["pending", "waiting_retry"].includes(statusOf(after.contacts, row) ?? ""),
      );
      expect(nextDueAt(after, now, null) === null).toBe(waiting.every((row) => isHeld(after.contacts, row)));
    }));

  it("has times that never decrease, whatever the clocks say", () => {
    const property = fc.property(onAnyClock, (given) => {
      const times = play(given, () => undefined).map(({ data }) => data.at);
      expect(times).toEqual([...times].sort());
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("has times that never decrease while contacts are imported", () => {
    const seconds = fc.integer({ min: -40, max: 40 });
    const property = fc.property(seconds, seconds, seconds, seconds, (first, created, second, sealed) => {
      const chunk = { type: "ImportContacts", campaignId, firstIndex: 0 } as const;
      const rejected = { count: 0, items: [] };
      const given: readonly CampaignCommand[] = [
        { ...chunk, importId: "imp_1", contacts: [contact(1)], now: at(first) },
        { type: "CreateCampaign", campaign: { ...creation(1), at: at(created) } },
        { ...chunk, importId: "imp_2", contacts: [contact(2)], now: at(second) },
        { type: "AddContacts", importId: "imp_2", added: 1, rejected, now: at(sealed) },
        { ...chunk, importId: "imp_3", contacts: [contact(3)], now: at(first) },
        { type: "AbandonImport", importId: "imp_3", now: at(second) },
      ];
      const log: CampaignEvent[] = [];
      for (const command of given)
        log.push(
          ...campaignDecider.decide(command, fold(campaignDecider, campaignDecider.initialState(), log)),
        );
      const times = log.map(({ data }) => data.at);
      expect(log).toHaveLength(given.length);
      expect(times).toEqual([...times].sort());
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("folds in parts as it folds whole", () => {
    const property = fc.property(steps, fc.nat(), (given, cut) => {
      const log = play(given, () => undefined);
      const first = fold(campaignDecider, campaignDecider.initialState(), log.slice(0, cut % log.length));
      expect(fold(campaignDecider, first, log.slice(cut % log.length))).toEqual(
        fold(campaignDecider, campaignDecider.initialState(), log),
      );
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
