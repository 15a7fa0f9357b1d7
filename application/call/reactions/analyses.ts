import { isCallEnd } from "../../../domain/call/end-reason.ts";
import type { AnalysisId, CallEvent } from "../../../domain/call/events.ts";
import { CALL_TYPES, isCallEvent } from "../../../domain/event-kinds.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { Analyses } from "../../ports/analyses.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";
import type { Ids } from "../../ports/ids.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { createRecentMap, type RecentMap } from "../../recent-map.ts";
import { type AtOnceDeps, analyseAtOnce, type OverCall } from "../analysis/at-once.ts";
import { type Asked, askedAtTheBeginning, automaticAnalysisId } from "../analysis/wishing.ts";
import { type ReadRequestDeps, readRequest } from "../read-request.ts";

export const ANALYSES = "analyses";

export const ANALYSIS_TYPES = [...CALL_TYPES];

/** Of calls that are not over; each call weighs one more. Beyond that a call is read from its stream. */
const KEPT_EVENTS = 50_000;
/** Conversations, which many calls share. */
const KEPT_WISHES = 500;
/** Appended here, and soon on the feed. */
const KEPT_ANSWERS = 10_000;
/** The session of a call ends so long after it at most, or nobody waits for its end. */
const LAST_WORDS_MILLIS = 5_000;

export type AnalysesReactionDeps = ReadRequestDeps &
  AtOnceDeps & {
    readonly analyses: Pick<Analyses, "expect" | "wished" | "done">;
    readonly pinnedConversations: Pick<PinnedConversations, "read">;
    readonly ids: Pick<Ids, "derivedUuid">;
    readonly clock: Pick<Clock, "now">;
    /** Something may be due. */
    readonly onDue: () => void;
  };

type KnownCall = {
  readonly owner: OwnerId;
  /** null: its assistant asks for nothing. */
  readonly asked: Asked | null;
  readonly session: "none" | "open" | "over";
  /** null: it is not over. */
  readonly endedAt: Instant | null;
  /** It is known to the clock of analyses. */
  readonly isExpected: boolean;
  /** All of them; null: not all are known here. */
  readonly events: CallEvent[] | null;
  readonly weight: number;
};

const NO_EVENTS = { events: null, weight: 1 } as const;

/** What a reaction remembers: without it the log is read, and a row is deleted twice. */
type Memory = {
  readonly calls: RecentMap<CallId, KnownCall>;
  /** What conversations ask for, by the hash of the pinned conversation. */
  readonly wishes: RecentMap<string, { readonly asked: Asked | null }>;
  /** Answered here: no row is left. */
  readonly answers: RecentMap<AnalysisId, true>;
};

/**
 * Follows calls whose assistant asks what they brought home. One that is over, and its session too, is
 * analysed at once if its model is in this process; any other one is told to the clock of analyses: it is
 * looked at then, or five seconds after its end, and a wish is tried until it is answered. The same events
 * again change nothing that matters: whoever looks reads the log first.
 */
export function createAnalysesReaction(
  deps: AnalysesReactionDeps,
): (events: readonly RecordedEvent[]) => Promise<void> {
  const memory: Memory = {
    calls: createRecentMap(
      KEPT_EVENTS,
      () => true,
      ({ weight }) => weight,
    ),
    wishes: createRecentMap(KEPT_WISHES),
    answers: createRecentMap(KEPT_ANSWERS),
  };
  return async (events) => {
    const calls = events.flatMap((recorded) => (isOfCall(recorded) ? [recorded] : []));
    const answered = new Set(calls.flatMap(({ event }) => (isAnswer(event) ? [event.data.analysisId] : [])));
    const over = new Set<CallId>();
    const wished: Told[] = [];
    for (const recorded of calls) {
      const { event } = recorded;
      if (event.type === "CallAnalysisRequested") {
        const wish = answered.has(event.data.analysisId) ? null : await wishOf(deps, memory, event);
        if (wish !== null) wished.push(wish);
      } else if (event.type === "CallRequested") {
        memory.calls.set(event.data.callId, await newCall(deps, memory, event));
      } else if (isCallEnd(event)) {
        if (await isAskedAbout(deps, memory, recorded, event)) over.add(event.data.callId);
      } else if (follow(memory, recorded)) over.add(event.data.callId);
    }
    const { expected, notAwaited } = await lookAtCalls(deps, memory, [...over]);
    const done = [...answered].filter((analysisId) => !isOurs(memory, analysisId));
    const { analyses, onDue } = deps;
    await Promise.all(expected.map(({ at, ...call }) => analyses.expect(call, at)));
    await Promise.all(wished.map(({ at, ...call }) => analyses.wished({ ...call, tries: 0 }, at)));
    await Promise.all([...done, ...notAwaited].map((analysisId) => analyses.done(analysisId)));
    if (expected.length + wished.length > 0) onDue();
  };
}

type RecordedOfCall = RecordedEvent<CallEvent>;
type End = Of<CallEvent, "CallCompleted" | "CallFailed">;

/** An analysis that is due at `at`. */
type Told = {
  readonly analysisId: AnalysisId;
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly at: Instant;
};

function isOfCall(recorded: RecordedEvent): recorded is RecordedOfCall {
  return isCallEvent(recorded.event);
}

function isAnswer(event: CallEvent): event is Of<CallEvent, "CallAnalysed" | "CallAnalysisFailed"> {
  return event.type === "CallAnalysed" || event.type === "CallAnalysisFailed";
}

/** It was answered here, so no row is to be deleted. */
function isOurs({ answers }: Memory, analysisId: AnalysisId): boolean {
  const isKnown = answers.get(analysisId) === true;
  answers.delete(analysisId);
  return isKnown;
}

/** null: the call's first event cannot be read, nor what was said. */
async function wishOf(
  deps: AnalysesReactionDeps,
  { calls }: Memory,
  { data: { analysisId, callId, at } }: Of<CallEvent, "CallAnalysisRequested">,
): Promise<Told | null> {
  const owner = (calls.get(callId) ?? (await readRequest(deps, callId)))?.owner;
  return owner === undefined ? null : { analysisId, callId, owner, at: asOfNow(deps, at) };
}

async function newCall(
  deps: AnalysesReactionDeps,
  { wishes }: Memory,
  request: Of<CallEvent, "CallRequested">,
): Promise<KnownCall> {
  const { owner, pinned = null } = request.data;
  const asked = pinned === null ? null : await askedBy(deps, wishes, pinned);
  const begun = { owner, asked, session: "none", endedAt: null, isExpected: false } as const;
  return asked === null ? { ...begun, ...NO_EVENTS } : { ...begun, events: [request], weight: 2 };
}

async function askedBy(
  { pinnedConversations }: AnalysesReactionDeps,
  wishes: Memory["wishes"],
  pinned: string,
): Promise<Asked | null> {
  const known = wishes.get(pinned);
  if (known !== undefined) return known.asked;
  const conversation = await pinnedConversations.read(pinned);
  const asked = conversation === null ? null : askedAtTheBeginning(conversation);
  if (conversation !== null) wishes.set(pinned, { asked });
  return asked;
}

/** The call is over: whether it is to be looked at. */
async function isAskedAbout(
  deps: AnalysesReactionDeps,
  memory: Memory,
  recorded: RecordedOfCall,
  { data: { callId, durationSeconds, at } }: End,
): Promise<boolean> {
  const wasAnswered = durationSeconds !== null;
  const call = wasAnswered ? (memory.calls.get(callId) ?? (await readCall(deps, memory, callId))) : null;
  if (call === null || call.asked === null) {
    memory.calls.delete(callId);
    return false;
  }
  memory.calls.set(callId, { ...heard(call, recorded), endedAt: asOfNow(deps, at) });
  return true;
}

/** Of a call that began before this process: whether its session is over is not known. */
async function readCall(
  deps: AnalysesReactionDeps,
  memory: Memory,
  callId: CallId,
): Promise<KnownCall | null> {
  const data = await readRequest(deps, callId);
  if (data === null) return null;
  return { ...(await newCall(deps, memory, { type: "CallRequested", data })), ...NO_EVENTS };
}

/** Whether the call is over, and its session with this event. */
function follow({ calls }: Memory, recorded: RecordedOfCall): boolean {
  const { type, data } = recorded.event;
  const call = calls.get(data.callId);
  if (call === undefined || call.asked === null) return false;
  const known = heard(call, recorded);
  const isOver = type === "CallSessionEnded";
  if (isOver) calls.set(data.callId, { ...known, session: "over" });
  else calls.set(data.callId, type === "CallSessionBegan" ? { ...known, session: "open" } : known);
  return isOver && call.endedAt !== null;
}

/** An event that came before changes nothing; behind a gap not all are known any more. */
function heard(call: KnownCall, { event, revision }: RecordedOfCall): KnownCall {
  const { events, weight } = call;
  if (events === null || revision < events.length) return call;
  if (revision > events.length) return { ...call, ...NO_EVENTS };
  events.push(event);
  return { ...call, weight: weight + 1 };
}

type LookedAt = {
  readonly expected: readonly Told[];
  /** Analysed at once, although they were expected later. */
  readonly notAwaited: readonly AnalysisId[];
};

/** Analyses those at once that can be; all others are to be expected. */
async function lookAtCalls(
  deps: AnalysesReactionDeps,
  { calls, answers }: Memory,
  over: readonly CallId[],
): Promise<LookedAt> {
  const looked = over.flatMap((callId) => {
    const call = calls.get(callId);
    return call === undefined ? [] : [{ callId, call, analysisId: automaticAnalysisId(deps.ids, callId) }];
  });
  const whole = looked.flatMap(
    ({ callId, analysisId, call: { owner, asked, session, events } }): OverCall[] =>
      asked === null || events === null || session !== "over"
        ? []
        : [{ analysisId, callId, owner, asked, events }],
  );
  const left = new Set(whole.length === 0 ? [] : await analyseAtOnce(deps, whole));
  const atOnce = new Set(whole.flatMap((call) => (left.has(call) ? [] : [call.callId])));
  const expected: Told[] = [];
  const notAwaited: AnalysisId[] = [];
  for (const { callId, call, analysisId } of looked) {
    if (!atOnce.has(callId)) {
      expected.push({ analysisId, callId, owner: call.owner, at: dueOf(deps, call) });
      calls.set(callId, { ...call, isExpected: true, ...(call.session === "over" ? NO_EVENTS : {}) });
      continue;
    }
    calls.delete(callId);
    answers.set(analysisId, true);
    if (call.isExpected) notAwaited.push(analysisId);
  }
  return { expected, notAwaited };
}

function dueOf(deps: AnalysesReactionDeps, { endedAt, session }: KnownCall): Instant {
  const end = endedAt ?? deps.clock.now();
  return session === "over" ? end : plusMillis(end, LAST_WORDS_MILLIS);
}

/** Times of a call never decrease: they may be ahead of a clock that was set back. */
function asOfNow({ clock }: AnalysesReactionDeps, at: Instant): Instant {
  const now = clock.now();
  return at < now ? at : now;
}
