import type { CallEvent } from "../../../domain/call/events.ts";
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

type Recorded = RecordedEvent<CallEvent>;

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
    for (const recorded of calls) {
      const { event } = recorded;
      if (isAnswer(event)) await deps.analyses.done(event.data.analysisId);
      else if (event.type === "CallAnalysisRequested") {
        if (!answered.has(event.data.analysisId)) await takeWish(deps, known, event);
      } else await follow(deps, known, recorded);
    }
  };
}

function isAnswer(event: CallEvent): event is Of<CallEvent, "CallAnalysed" | "CallAnalysisFailed"> {
  return event.type === "CallAnalysed" || event.type === "CallAnalysisFailed";
}

async function takeWish(
  deps: AnalysesReactionDeps,
  known: Known,
  { data: { analysisId, callId, at } }: Of<CallEvent, "CallAnalysisRequested">,
): Promise<void> {
  const { analyses, onDue } = deps;
  const owner = (known.get(callId) ?? (await readCall(deps, callId)))?.owner;
  if (owner === undefined) return; // its first event cannot be read, nor what was said
  await analyses.wished({ analysisId, callId, owner, tries: 0 }, asOfNow(deps, at));
  onDue();
}

type Known = ReturnType<typeof createRecentMap<CallId, KnownCall>>;

async function follow(deps: AnalysesReactionDeps, known: Known, { event }: Recorded): Promise<void> {
  const { callId } = event.data;
  if (event.type === "CallRequested") {
    known.set(callId, newCall(event.data));
    return;
  }
  const call = known.get(callId);
  if (event.type === "CallCompleted" || event.type === "CallFailed") {
    if (event.data.durationSeconds === null) return void known.delete(callId);
    await followEnd(deps, known, event);
  } else if (call !== undefined && event.type === "CallSessionBegan") {
    call.session = "open";
  } else if (call !== undefined && event.type === "CallSessionEnded") {
    call.session = "over";
    if (call.isExpected) await expect(deps, callId, call, asOfNow(deps, event.data.at));
  }
}

function newCall({ owner, pinned }: Of<CallEvent, "CallRequested">["data"]): KnownCall {
  return { owner, pinned: pinned ?? null, session: "none", isExpected: false };
}

async function followEnd(
  deps: AnalysesReactionDeps,
  known: Known,
  { data: { callId, at } }: Of<CallEvent, "CallCompleted" | "CallFailed">,
): Promise<void> {
  const call = known.get(callId) ?? (await readCall(deps, callId));
  if (call === null || !(await asksForOutcome(deps, call))) return void known.delete(callId);
  known.set(callId, call);
  call.isExpected = true;
  const end = asOfNow(deps, at);
  await expect(deps, callId, call, call.session === "over" ? end : plusMillis(end, LAST_WORDS_MILLIS));
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

async function expect(
  { analyses, ids, onDue }: AnalysesReactionDeps,
  callId: CallId,
  { owner }: KnownCall,
  at: Instant,
): Promise<void> {
  await analyses.expect({ analysisId: automaticAnalysisId(ids, callId), callId, owner }, at);
  onDue();
}
