import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallCommand } from "../../../domain/call/commands.ts";
import { isLive, nextLookAt } from "../../../domain/call/deadlines.ts";
import { callDecider } from "../../../domain/call/decider.ts";
import { END_REASONS, isEndReason } from "../../../domain/call/end-reason.ts";
import type { CallEvent, CallStatus } from "../../../domain/call/events.ts";
import type { CallState } from "../../../domain/call/state.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { at, ended, fact, REQUEST } from "./example-call.ts";

const RANK: Readonly<Record<CallStatus, number>> = {
  initiating: 0,
  ringing: 1,
  connected: 2,
  in_progress: 3,
  completed: 4,
  failed: 4,
};

const seconds = fc.integer({ min: 0, max: 900 });
const sequence = fc.option(fc.integer({ min: 1, max: 12 }));
const ref = fc.constantFrom("carrier-1", "carrier-1", "carrier-1", "stranger");
const facts = fc.tuple(seconds, sequence, ref).map(([when, number, name]) => fact(when, number, name));
const endReasons = fc.constantFrom(...Object.keys(END_REASONS).filter(isEndReason));
const message = { role: "customer" as const, assistantId: null, content: "Hi" };

/** Any command, at any time, in any order: the world is not polite. */
const commands: fc.Arbitrary<CallCommand> = fc.oneof(
  fc.tuple(seconds, fc.boolean()).map(([when, suppressed]) => ({
    type: "BeginDialing" as const,
    now: at(when),
    suppressed: suppressed && when % 7 === 0,
  })),
  seconds.map((when) => ({ type: "RecordAccepted" as const, carrierRef: "carrier-1", now: at(when) })),
  fc.tuple(seconds, endReasons).map(([when, endReason]) => ({
    type: "RecordRejected" as const,
    endReason: END_REASONS[endReason].status === "failed" ? endReason : ("busy" as const),
    error: null,
    now: at(when),
  })),
  seconds.map((when) => ({ type: "RecordUnknownOutcome" as const, cause: "timeout", now: at(when) })),
  facts.map((given) => ({ type: "RecordRinging" as const, ...given })),
  facts.map((given) => ({ type: "RecordAnswered" as const, answeredBy: "human" as const, ...given })),
  facts.map((given) => ({ type: "RecordConversationStarted" as const, ...given })),
  fc
    .tuple(facts, fc.integer({ min: 1, max: 12 }))
    .map(([given, number]) => ({ type: "AddMessage" as const, message, ...given, sequence: number })),
  fc.tuple(seconds, fc.constantFrom("api", "campaign_cancelled", "max_duration")).map(([when, reason]) => ({
    type: "RequestEnd" as const,
    by: reason === "api" ? ("api" as const) : ("system" as const),
    reason: reason as "api",
    now: at(when),
  })),
  fc.tuple(facts, endReasons, fc.boolean()).map(([given, endReason, answered]) => ({
    ...ended(0, null),
    ...given,
    endReason,
    answeredAt: answered ? given.occurredAt : null,
  })),
  facts.map((given) => ({
    type: "RecordRecording" as const,
    status: "available" as const,
    recordingRef: "r",
    ...given,
  })),
  fc
    .tuple(seconds, fc.constantFrom("found", "absent", "ambiguous", "unavailable", null))
    .map(([when, lookup]) => ({ type: "ExpireDeadline" as const, now: at(when), lookup: lookup as "found" })),
);

const histories = fc.array(commands, { maxLength: 40 });

function play(
  given: readonly CallCommand[],
  check: (before: CallState, events: readonly CallEvent[], after: CallState, command: CallCommand) => void,
): CallEvent[] {
  const log: CallEvent[] = [{ type: "CallRequested", data: REQUEST }];
  for (const command of given) {
    const before = fold(callDecider, callDecider.initialState(), log);
    const events = callDecider.decide(command, before);
    log.push(...events);
    check(before, events, fold(callDecider, callDecider.initialState(), log), command);
  }
  return log;
}

describe("a call, whatever happens to it", PROPERTY_TIMEOUT, () => {
  const assertAlways = (check: Parameters<typeof play>[1]) =>
    fc.assert(
      fc.property(histories, (given) => void play(given, check)),
      { numRuns: PROPERTY_RUNS },
    );

  it("only moves forward, and ends once", () =>
    assertAlways((before, _events, after) => {
      expect(RANK[after.status ?? "failed"]).toBeGreaterThanOrEqual(RANK[before.status ?? "initiating"]);
      if (before.endedAt !== null)
        expect([after.status, after.endReason, after.endedAt, after.cost]).toEqual([
          before.status,
          before.endReason,
          before.endedAt,
          before.cost,
        ]);
    }));

  it("changes nothing when the same command comes twice", () =>
    assertAlways((_before, _events, after, command) => {
      expect(callDecider.decide(command, after)).toEqual([]);
    }));

  it("begins to dial at most once, never from dialBy on, never after its end", () =>
    assertAlways((before, events) => {
      for (const event of events) {
        if (event.type !== "CallDialingBegan") continue;
        expect([before.dialBeganAt, before.endedAt]).toEqual([null, null]);
        expect(event.data.at < REQUEST.dialBy).toBe(true);
      }
    }));

  it("is charged for seconds it was answered, and for nothing else", () =>
    assertAlways((_before, _events, after) => {
      if (after.endReason === null) return;
      expect(after.durationSeconds === null).toBe(after.connectedAt === null);
      expect((after.cost ?? -1) > 0).toBe(
        END_REASONS[after.endReason].billed && (after.durationSeconds ?? 0) > 0,
      );
      expect(after.durationSeconds ?? 0).toBeLessThanOrEqual(REQUEST.maxDurationSeconds + 30);
      expect(after.status).toBe(END_REASONS[after.endReason].status);
      if (after.status === "completed") expect(after.connectedAt).not.toBeNull();
    }));

  it("has a next look as long as it lives, and no longer", () =>
    assertAlways((_before, _events, after) => {
      expect(nextLookAt(after, at(0)) !== null).toBe(isLive(after));
    }));

  it("tells its times in order, and numbers its messages", () => {
    const property = fc.property(histories, (given) => {
      const log = play(given, () => undefined);
      const times = log.map(({ data }) => data.at);
      expect(times).toEqual(times.toSorted());
      const indexes = log.flatMap((event) =>
        event.type === "CallMessageAdded" ? [event.data.message.index] : [],
      );
      expect(indexes).toEqual(indexes.map((_index, position) => position));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("ends in bounded time, even if the carrier never says another word", () => {
    const property = fc.property(histories, (given) => {
      const log = play(given, () => undefined);
      let now = 900;
      for (let look = 0; look < 400; look += 1) {
        const state = fold(callDecider, callDecider.initialState(), log);
        if (!isLive(state)) return;
        log.push(
          ...callDecider.decide({ type: "ExpireDeadline", now: at(now), lookup: "unavailable" }, state),
        );
        now += 5;
      }
      expect.unreachable("the call is still open after half an hour");
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 10) });
  });

  it("folds in parts as it folds whole", () => {
    const property = fc.property(histories, fc.nat(), (given, cut) => {
      const log = play(given, () => undefined);
      const first = fold(callDecider, callDecider.initialState(), log.slice(0, cut % log.length));
      expect(fold(callDecider, first, log.slice(cut % log.length))).toEqual(
        fold(callDecider, callDecider.initialState(), log),
      );
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
