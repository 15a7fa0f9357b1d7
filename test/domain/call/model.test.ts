import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLive, nextLookAt } from "../../../domain/call/deadlines.ts";
import { type CallCommand, callDecider } from "../../../domain/call/decider.ts";
import { END_REASONS, isEndReason } from "../../../domain/call/end-reason.ts";
import type { CallEvent, CallStatus } from "../../../domain/call/events.ts";
import type { CallState } from "../../../domain/call/state.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { at, ended, FAR_SIDE, fact, REQUEST } from "./example-call.ts";
import { addUtterance, beginTool, endTool, handOver, spoken } from "./example-conversation.ts";

/** With this seed, whatever PROPERTY_RUNS says. */
const ENOUGH_TO_SEE_ALL = 1_000;

const RANK: Readonly<Record<CallStatus, number>> = {
  initiating: 0,
  ringing: 1,
  connected: 2,
  in_progress: 3,
  completed: 4,
  failed: 4,
};

const seconds = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 900 }) },
);
const sequence = fc.option(fc.integer({ min: 1, max: 12 }));
const ref = fc.constantFrom("carrier-1", "carrier-1", "carrier-1", "stranger");
const facts = fc.tuple(seconds, sequence, ref).map(([when, number, name]) => fact(when, number, name));
const endReasons = fc.constantFrom(...Object.keys(END_REASONS).filter(isEndReason));
const WISHES = [
  "api",
  "campaign_cancelled",
  "max_duration",
  "assistant_ended",
  "silence_timeout",
  "assistant_error",
  "voicemail",
  "voicemail_message_left",
] as const;
const LAST_WORDS = [
  "CallMessageAdded",
  "CallSpeechCut",
  "CallDigitsReceived",
  "CallToolEnded",
  "CallSessionEnded",
];
const verdicts = fc
  .tuple(fc.constantFrom("human", "machine", "unknown"), fc.boolean())
  .map(([answeredBy, greetingEnded]) => ({
    type: "RecordMachineJudged" as const,
    answeredBy,
    greetingEnded,
    policyApplied: null,
  }));
const message = { role: "customer" as const, assistantId: null, content: "Hi" };

/** Any command, at any time, in any order: the world is not polite. */
const commands: fc.Arbitrary<CallCommand> = fc.oneof(
  fc.tuple(seconds, fc.boolean()).map(([when, suppressed]) => ({
    type: "BeginDialing" as const,
    now: at(when),
    suppressed: suppressed && when % 7 === 0,
    carrier: when % 11 === 0 ? null : FAR_SIDE,
  })),
  seconds.map((when) => ({ type: "RecordAccepted" as const, carrierRef: "carrier-1", now: at(when) })),
  seconds.map((when) => ({ type: "RecordNeverDialled" as const, proof: "proved", now: at(when) })),
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
  fc
    .tuple(seconds, fc.constantFrom(...WISHES), fc.constantFrom("api", "system", "assistant"))
    .map(([when, reason, by]) => ({ type: "RequestEnd" as const, by, reason, now: at(when) })),
  fc.tuple(facts, verdicts).map(([given, verdict]) => ({
    ...verdict,
    by: "carrier" as const,
    occurredAt: given.occurredAt,
    now: given.now,
    carrierRef: given.carrierRef,
    ...(given.sequence === null ? {} : { dedupeKey: `verdict-${given.sequence}` }),
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

const soon = fc.integer({ min: 10, max: 50 });
const words = fc
  .tuple(fc.oneof(soon, soon, seconds), fc.constantFrom(1, 1, 1, 2, 3))
  .map(([when, epoch]) => spoken(when, epoch));
const toolCalls = fc.constantFrom("call_1-1", "call_1-2", "call_1-3");
const inSession: fc.Arbitrary<CallCommand> = fc.oneof(
  seconds.map((when) => ({ type: "BeginSession" as const, kind: "relay" as const, now: at(when) })),
  words.map((given) => ({ type: "EndSession" as const, cause: "hung_up" as const, ...given })),
  words.map((given) => ({ type: "StartConversation" as const, ...given })),
  words.map((given) => ({ ...addUtterance(0), ...given })),
  fc.tuple(words, fc.option(fc.nat({ max: 5 }), { nil: undefined })).map(([given, messageIndex]) => ({
    type: "CutSpeech" as const,
    heard: "Hello",
    heardMillis: 1,
    precision: "exact" as const,
    ...(messageIndex === undefined ? {} : { messageIndex }),
    ...given,
  })),
  fc.tuple(words, toolCalls).map(([given, id]) => ({ ...beginTool(0, id), ...given })),
  fc.tuple(words, toolCalls).map(([given, id]) => ({ ...endTool(0, id), ...given })),
  fc.tuple(words, toolCalls).map(([given, id]) => ({ ...handOver(0, id), ...given })),
  words.map((given) => ({
    type: "RecordDigits" as const,
    turn: 1,
    digits: "1",
    assistantId: null,
    ...given,
  })),
  words.map((given) => ({
    type: "FailTurn" as const,
    turn: 1,
    kind: "stalled",
    saidInstead: null,
    ...given,
  })),
  fc.tuple(seconds, verdicts).map(([when, verdict]) => ({
    ...verdict,
    by: "sound" as const,
    occurredAt: at(when),
    now: at(when),
  })),
);

const analysisIds = fc.constantFrom("wish-1", "wish-1", "wish-2", "wish-3");
const model = { name: "m", inputTokens: 1, outputTokens: 1 };
const MAX_ANALYSES = 10;
const analysed = {
  type: "RecordAnalysis" as const,
  fields: { confirmed: true },
  evidence: { confirmed: [1] },
  unsupported: [],
  summary: null,
  success: true,
  truncated: false,
  model,
};
const analysisFailed = { type: "FailAnalysis" as const, reason: "gave_up" as const, tries: 6, model };
const wish = (analysisId: string, when: number) => ({
  type: "RequestAnalysis" as const,
  analysisId,
  assistantId: "ast_1" as const,
  assistantVersion: 2,
  schemaHash: "0",
  by: "engine",
  now: at(when),
});
const analyses: fc.Arbitrary<CallCommand> = fc.oneof(
  fc.tuple(seconds, fc.oneof(analysisIds, fc.uuid())).map(([when, id]) => wish(id, when)),
  fc.tuple(seconds, analysisIds).map(([when, analysisId]) => ({ ...analysed, analysisId, now: at(when) })),
  fc
    .tuple(seconds, analysisIds)
    .map(([when, analysisId]) => ({ ...analysisFailed, analysisId, now: at(when) })),
);
const erasure = seconds.map((when) => ({
  type: "EraseContent" as const,
  erasureId: "ers_1" as const,
  now: at(when),
}));

/** Each of them is another word, however often it is given. */
const SAID_AGAIN: ReadonlySet<CallCommand["type"]> = new Set([
  "BeginSession",
  "AddUtterance",
  "RecordDigits",
  "FailTurn",
]);

const ANSWERED: readonly CallCommand[] = [
  { type: "BeginDialing", now: at(1), suppressed: false, carrier: FAR_SIDE },
  { type: "RecordAnswered", answeredBy: "human", ...fact(10, 1) },
  { type: "BeginSession", kind: "relay", now: at(11) },
];

/** Half of them come to a conversation. */
const histories = fc
  .tuple(
    fc.constantFrom([], ANSWERED),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: commands },
        { weight: 4, arbitrary: inSession },
        { weight: 1, arbitrary: analyses },
      ),
      { maxLength: 40 },
    ),
  )
  .map(([first, others]) => [...first, ...others]);

/** What a rule forbids leads to nothing. */
function decided(command: CallCommand, state: CallState): readonly CallEvent[] {
  try {
    return callDecider.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function play(
  given: readonly CallCommand[],
  check: (before: CallState, events: readonly CallEvent[], after: CallState, command: CallCommand) => void,
): CallEvent[] {
  const log: CallEvent[] = [{ type: "CallRequested", data: REQUEST }];
  for (const command of given) {
    const before = fold(callDecider, callDecider.initialState(), log);
    const events = decided(command, before);
    log.push(...events);
    check(before, events, fold(callDecider, callDecider.initialState(), log), command);
  }
  return log;
}

function lateRings(count: number): CallCommand[] {
  return Array.from({ length: count }, (_, index) => ({ type: "RecordRinging", ...fact(50, 100 + index) }));
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
      if (!SAID_AGAIN.has(command.type)) expect(decided(command, after)).toEqual([]);
    }));

  it("takes words of the latest session only, until it ends, and for a moment after the call", () =>
    assertAlways((before, events) => {
      for (const { type, data } of events) {
        if (!("epoch" in data) || data.epoch === undefined) continue;
        const isNew = type === "CallSessionBegan";
        expect(data.epoch).toBe(before.lastEpoch + (isNew ? 1 : 0));
        expect(isNew || before.sessionOpen).toBe(true);
        if (before.endedAt !== null) expect(LAST_WORDS).toContain(type);
      }
    }));

  it("ends each tool call at most once, and cuts each message at most once", () => {
    const property = fc.property(histories, (given) => {
      const log = play(given, () => undefined);
      const ends = log.flatMap((event) =>
        event.type === "CallToolEnded" ? [`tool ${event.data.toolCallId}`] : [],
      );
      const cuts = log.flatMap((event) =>
        event.type === "CallSpeechCut" ? [`cut ${event.data.messageIndex}`] : [],
      );
      expect(new Set([...ends, ...cuts]).size).toBe(ends.length + cuts.length);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("comes to conversations, and to words after the end", () => {
    const seen = new Set<string>();
    const property = fc.property(histories, (given) => {
      play(given, (before, events) => {
        for (const { type } of events) seen.add(before.endedAt === null ? type : `${type} after the end`);
      });
    });
    // What histories come to is not a matter of how many are asked for.
    fc.assert(property, { numRuns: Math.max(PROPERTY_RUNS, ENOUGH_TO_SEE_ALL), seed: 7 });
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "CallToolEnded",
        "CallSpeechCut",
        "CallHandedOver",
        "CallSessionEnded after the end",
      ]),
    );
  });

  it("records at most 50 late events", () => {
    const log = play(
      [
        { type: "BeginDialing", now: at(1), suppressed: false, carrier: FAR_SIDE },
        ended(40, 1),
        ...lateRings(80),
      ],
      () => undefined,
    );
    expect(log.filter(({ type }) => type === "LateCarrierEventRecorded")).toHaveLength(50);
  });

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
      const indexes = log.flatMap((event) => {
        if (event.type === "CallMessageAdded") return [event.data.message.index];
        return event.type === "CallToolBegan" || event.type === "CallHandedOver"
          ? [event.data.messageIndex]
          : [];
      });
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
        log.push(...decided({ type: "ExpireDeadline", now: at(now), lookup: "unavailable" }, state));
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

describe("wishes to know what a call brought home, in any order", PROPERTY_TIMEOUT, () => {
  const OVER: readonly CallCommand[] = [...ANSWERED, ended(40, 9)];
  const ALL_BUT_ONE = Array.from({ length: MAX_ANALYSES - 1 }, (_, number): CallCommand[] => [
    wish(`early-${number}`, 50),
    { ...analysed, analysisId: `early-${number}`, now: at(51) },
  ]).flat();
  /** Most are of calls that have ended, some of them nearly too often analysed; many are erased somewhere. */
  const wished = fc
    .tuple(
      fc.constantFrom([], OVER, OVER, [...OVER, ...ALL_BUT_ONE]),
      fc.array(
        fc.oneof(
          { weight: 20, arbitrary: analyses },
          { weight: 3, arbitrary: fc.oneof(commands, inSession) },
          { weight: 1, arbitrary: erasure },
        ),
        { maxLength: 40, size: "max" },
      ),
    )
    .map(([first, others]) => [...first, ...others]);
  const idsOf = (log: readonly CallEvent[], ...types: readonly CallEvent["type"][]) =>
    log.flatMap(({ type, data }) => (types.includes(type) && "analysisId" in data ? [data.analysisId] : []));
  const ANSWERS = ["CallAnalysed", "CallAnalysisFailed"] as const;

  it("are answered one after another, each at most once, and at most ten of a call", () => {
    const property = fc.property(wished, (given) => {
      const log = play(given, () => undefined);
      const wishes = idsOf(log, "CallAnalysisRequested");
      const answers = idsOf(log, ...ANSWERS);
      expect(new Set(wishes).size).toBe(wishes.length);
      expect(wishes.length).toBeLessThanOrEqual(MAX_ANALYSES);
      expect(answers).toEqual(wishes.slice(0, answers.length));
      expect(wishes.length - answers.length).toBeLessThanOrEqual(1);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("come after the end only, and neither they nor answers after the erasure", () => {
    const property = fc.property(wished, (given) => {
      play(given, (before, events) => {
        if (idsOf(events, "CallAnalysisRequested", ...ANSWERS).length === 0) return;
        expect(before.endedAt).not.toBeNull();
        expect(before.contentErased).toBe(false);
      });
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("change nothing of the call beside themselves", () => {
    const own = ["analyses", "pendingAnalysis", "lastAt"];
    const rest = (state: CallState) =>
      Object.fromEntries(Object.entries(state).filter(([name]) => !own.includes(name)));
    const property = fc.property(wished, (given) => {
      play(given, (before, events, after) => {
        if (idsOf(events, "CallAnalysisRequested", ...ANSWERS).length > 0)
          expect(rest(after)).toEqual(rest(before));
      });
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 10) });
  });

  it("come to ten of a call, to answers of each kind, and to wishes that an erasure leaves open", () => {
    const seen = new Set<string>();
    const property = fc.property(wished, (given) => {
      const log = play(given, () => undefined);
      const wishes = idsOf(log, "CallAnalysisRequested").length;
      if (wishes === MAX_ANALYSES) seen.add("ten");
      if (log.at(-1)?.type === "CallContentErased" && wishes > idsOf(log, ...ANSWERS).length)
        seen.add("open");
      for (const { type } of log) seen.add(type);
    });
    fc.assert(property, { numRuns: Math.max(PROPERTY_RUNS, ENOUGH_TO_SEE_ALL), seed: 7 });
    expect([...seen]).toEqual(expect.arrayContaining(["ten", "open", ...ANSWERS]));
  });
});
