import type { AnalysisId, CallEvent } from "../../../domain/call/events.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { Analyses } from "../../ports/analyses.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";
import type { Ids } from "../../ports/ids.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { createRecentMap } from "../../recent-map.ts";
import { automaticAnalysisId } from "../analysis/wishing.ts";
import { type ReadRequestDeps, readRequest } from "../read-request.ts";

export const ANALYSES = "analyses";

export const ANALYSIS_TYPES: readonly CallEvent["type"][] = [
  "CallRequested",
  "CallSessionBegan",
  "CallSessionEnded",
  "CallCompleted",
  "CallFailed",
  "CallAnalysisRequested",
  "CallAnalysed",
  "CallAnalysisFailed",
];

/** More than are live at once; of a call beyond that the request is read from its stream. */
const KEPT_CALLS = 10_000;
/** The session of a call ends so long after it at most, or nobody waits for its end. */
const LAST_WORDS_MILLIS = 5_000;

export type AnalysesReactionDeps = ReadRequestDeps & {
  readonly analyses: Pick<Analyses, "expect" | "wished" | "done">;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  readonly ids: Pick<Ids, "derivedUuid">;
  readonly clock: Pick<Clock, "now">;
  /** Something may be due. */
  readonly onDue: () => void;
};

type KnownCall = {
  readonly pinned: string | null;
  readonly owner: OwnerId;
  session: "none" | "open" | "over";
  /** It is over, and its assistant asks what it brought home. */
  isExpected: boolean;
};

/**
 * Keeps the clock of analyses by the log: a call whose assistant asks what it brought home is looked at when
 * it is over and its session too, or five seconds after its end; a wish is tried until it is answered. The
 * same events again change nothing that matters: whoever looks reads the log first.
 */
export function createAnalysesReaction(
  deps: AnalysesReactionDeps,
): (events: readonly RecordedEvent[]) => Promise<void> {
  const known = createRecentMap<CallId, KnownCall>(KEPT_CALLS);
  return async (events) => {
    const calls = events.flatMap((recorded) => {
      const { event } = recorded;
      return isCallEvent(event) ? [{ ...recorded, event }] : [];
    });
    const answered = new Set(calls.flatMap(({ event }) => (isAnswer(event) ? [event.data.analysisId] : [])));
    const expected: Told[] = [];
    const wished: Told[] = [];
    for (const { event } of calls) {
      if (event.type === "CallAnalysisRequested") {
        const wish = answered.has(event.data.analysisId) ? null : await wishOf(deps, known, event);
        if (wish !== null) wished.push(wish);
      } else if (!isAnswer(event)) {
        const told = await follow(deps, known, event);
        if (told !== null) expected.push(told);
      }
    }
    const { analyses, onDue } = deps;
    await Promise.all(expected.map(({ at, ...call }) => analyses.expect(call, at)));
    await Promise.all(wished.map(({ at, ...call }) => analyses.wished({ ...call, tries: 0 }, at)));
    await Promise.all([...answered].map((analysisId) => analyses.done(analysisId)));
    if (expected.length + wished.length > 0) onDue();
  };
}

/** An analysis that is due at `at`. */
type Told = {
  readonly analysisId: AnalysisId;
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly at: Instant;
};

function isAnswer(event: CallEvent): event is Of<CallEvent, "CallAnalysed" | "CallAnalysisFailed"> {
  return event.type === "CallAnalysed" || event.type === "CallAnalysisFailed";
}

/** null: the call's first event cannot be read, nor what was said. */
async function wishOf(
  deps: AnalysesReactionDeps,
  known: Known,
  { data: { analysisId, callId, at } }: Of<CallEvent, "CallAnalysisRequested">,
): Promise<Told | null> {
  const owner = (known.get(callId) ?? (await readCall(deps, callId)))?.owner;
  return owner === undefined ? null : { analysisId, callId, owner, at: asOfNow(deps, at) };
}

type Known = ReturnType<typeof createRecentMap<CallId, KnownCall>>;

/** null: it does not say when the call is to be looked at. */
async function follow(deps: AnalysesReactionDeps, known: Known, event: CallEvent): Promise<Told | null> {
  const { callId } = event.data;
  if (event.type === "CallRequested") {
    known.set(callId, newCall(event.data));
    return null;
  }
  if (event.type === "CallCompleted" || event.type === "CallFailed") {
    if (event.data.durationSeconds !== null) return followEnd(deps, known, event);
    known.delete(callId);
    return null;
  }
  const call = known.get(callId);
  if (call !== undefined && event.type === "CallSessionBegan") call.session = "open";
  if (call === undefined || event.type !== "CallSessionEnded") return null;
  call.session = "over";
  return call.isExpected ? expectation(deps, callId, call, asOfNow(deps, event.data.at)) : null;
}

function newCall({ owner, pinned }: Of<CallEvent, "CallRequested">["data"]): KnownCall {
  return { owner, pinned: pinned ?? null, session: "none", isExpected: false };
}

async function followEnd(
  deps: AnalysesReactionDeps,
  known: Known,
  { data: { callId, at } }: Of<CallEvent, "CallCompleted" | "CallFailed">,
): Promise<Told | null> {
  const call = known.get(callId) ?? (await readCall(deps, callId));
  if (call === null || !(await asksForOutcome(deps, call))) {
    known.delete(callId);
    return null;
  }
  known.set(callId, call);
  call.isExpected = true;
  const end = asOfNow(deps, at);
  return expectation(deps, callId, call, call.session === "over" ? end : plusMillis(end, LAST_WORDS_MILLIS));
}

/** Of a call that began before this process: whether its session is over is not known. */
async function readCall(deps: AnalysesReactionDeps, callId: CallId): Promise<KnownCall | null> {
  const request = await readRequest(deps, callId);
  return request === null ? null : newCall(request);
}

async function asksForOutcome(
  { pinnedConversations }: AnalysesReactionDeps,
  { pinned }: KnownCall,
): Promise<boolean> {
  if (pinned === null) return false;
  const conversation = await pinnedConversations.read(pinned);
  return (conversation?.speakers[0]?.outcome ?? null) !== null;
}

/** Times of a call never decrease: they may be ahead of a clock that was set back. */
function asOfNow({ clock }: AnalysesReactionDeps, at: Instant): Instant {
  const now = clock.now();
  return at < now ? at : now;
}

function expectation({ ids }: AnalysesReactionDeps, callId: CallId, { owner }: KnownCall, at: Instant): Told {
  return { analysisId: automaticAnalysisId(ids, callId), callId, owner, at };
}
