import type { CallCommand } from "../../../domain/call/decider.ts";
import type { AnalysisFailure, AnalysisId, CallEvent } from "../../../domain/call/events.ts";
import { isAnalysable } from "../../../domain/outcome/transcript.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { GivenUp } from "../../given-up.ts";
import { processOrigin } from "../../log/append-events.ts";
import { callStream } from "../../log/stream-names.ts";
import { type ModelTokensDeps, modelTokensUsedUp } from "../../model-tokens.ts";
import type { Analyses, AnalysisSettings, DueAnalysis } from "../../ports/analyses.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";
import { ModelFailure } from "../../ports/language-model.ts";
import type { Logger } from "../../ports/logger.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { type AskingDeps, askAboutCall, questionAbout, tokensOfBoth } from "./asking.ts";
import { analyseAtOnce } from "./at-once.ts";
import { callEvents } from "./call-events.ts";
import { askedAtTheBeginning, type WishingDeps, wish } from "./wishing.ts";

const PROCESS = "analyses";
const MINUTE = 60_000;
/** Before the second try, the third, …; after the last one it is given up. */
const PAUSES: readonly number[] = [10_000, MINUTE, 10 * MINUTE, 60 * MINUTE, 360 * MINUTE];
/** A server may ask for more time than that; then nobody waits for it. */
const LONGEST_RETRY_AFTER = 60 * MINUTE;
const AFTER_FAILURE_MILLIS = 1_000;
/** A try has 30 s. Whoever has not come back after so long has died. */
export const CLAIMED_MILLIS = 90_000;

export type AttemptDeps = WishingDeps &
  AskingDeps &
  ModelTokensDeps & {
    readonly analyses: Pick<Analyses, "wished" | "giveBack" | "failed" | "done">;
    readonly pinnedConversations: Pick<PinnedConversations, "read">;
    readonly eventStore: EventStore;
    readonly codec: EventCodec;
    readonly givenUp: GivenUp;
    readonly logger: Logger;
    /** A store is away for a while: the try was none. */
    readonly isTransient: (error: unknown) => boolean;
  };

/** no_tokens: the owner's tokens of this day are used up, and the wish waits. */
export type Attempted = "went_on" | "no_tokens";

/**
 * One try of an analysis that was claimed. Reads the log first: what is answered, erased or without a reason
 * is done. Each outcome is in the log before its row is gone, and a failure moves the row, so that a crash at
 * any point repeats at most the try.
 */
export async function attemptAnalysis(
  deps: AttemptDeps,
  due: DueAnalysis,
  stop: AbortSignal,
): Promise<Attempted> {
  try {
    return await attempt(deps, due, stop);
  } catch (error) {
    await afterError(deps, due, error);
    return "went_on";
  }
}

async function attempt(deps: AttemptDeps, due: DueAnalysis, stop: AbortSignal): Promise<Attempted> {
  const { analyses, clock } = deps;
  const events = await callEvents(deps, due.callId);
  const wanted = due.wished ? wishOf(events, due.analysisId) : await wishByItself(deps, due, events);
  if (wanted === null) {
    await analyses.done(due.analysisId);
    return "went_on";
  }
  const wish: DueAnalysis = due.wished ? due : { ...due, wished: true, tries: 0 };
  if (wish.tries > PAUSES.length) {
    await fail(deps, wish, "gave_up", wish.tries);
    return "went_on";
  }
  if (await modelTokensUsedUp(deps, due.owner)) {
    await analyses.giveBack(wish, clock.now());
    return "no_tokens";
  }
  const settings = await deps.analysisSettings.read(wanted.schemaHash);
  if (settings === null) await fail(deps, wish, "gave_up", wish.tries);
  else await askAndRecord(deps, wish, settings, events, stop);
  return "went_on";
}

type WishEvent = Of<CallEvent, "CallAnalysisRequested">["data"];

/** null: there is none that waits for an answer. */
function wishOf(events: readonly CallEvent[], analysisId: AnalysisId): WishEvent | null {
  let wish: WishEvent | null = null;
  for (const { type, data } of events) {
    if (type === "CallAnalysisRequested" && data.analysisId === analysisId) wish = data;
    const isAnswer = type === "CallAnalysed" || type === "CallAnalysisFailed";
    if (type === "CallContentErased" || (isAnswer && data.analysisId === analysisId)) return null;
  }
  return wish;
}

/** null: there is no reason for it, it is answered, perhaps right now, or somebody else's wish waits. */
async function wishByItself(
  deps: AttemptDeps,
  { analysisId, callId, owner }: DueAnalysis,
  events: readonly CallEvent[],
): Promise<Pick<WishEvent, "schemaHash"> | null> {
  const { analyses, clock } = deps;
  const [first] = events;
  const pinned = first?.type === "CallRequested" ? (first.data.pinned ?? null) : null;
  const conversation = pinned === null ? null : await deps.pinnedConversations.read(pinned);
  const asked = conversation === null ? null : askedAtTheBeginning(conversation);
  if (asked === null || !isAnalysable(events)) return null;
  const left = await analyseAtOnce(deps, [{ analysisId, callId, owner, asked, events }]);
  if (left.length === 0) return null;
  try {
    const origin = processOrigin(PROCESS, owner, callId);
    const wished = await wish(deps, callId, { ...asked, analysisId, by: "engine" }, origin);
    if (wished.pending !== analysisId) return null;
    // With its first try under way: it is due again when this one has not come back.
    await analyses.wished({ analysisId, callId, owner, tries: 1 }, plusMillis(clock.now(), CLAIMED_MILLIS));
    return { schemaHash: wished.schemaHash };
  } catch (error) {
    if (error instanceof DomainError) return null; // erased meanwhile, or analysed often enough
    throw error;
  }
}

async function askAndRecord(
  deps: AttemptDeps,
  due: DueAnalysis,
  settings: AnalysisSettings,
  events: readonly CallEvent[],
  stop: AbortSignal,
): Promise<void> {
  const { analyses, clock } = deps;
  const { analysisId } = due;
  try {
    const question = await questionAbout(deps, settings, events);
    const { model, ...answer } = await askAboutCall(deps, due.owner, settings, question, stop);
    const all = tokensOfBoth(due.used, model) ?? model;
    await record(deps, due, { type: "RecordAnalysis", analysisId, ...answer, model: all, now: clock.now() });
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (stop.aborted) await analyses.giveBack(due, clock.now());
    else await failedTry(deps, { ...due, used: tokensOfBoth(due.used, error.used) }, error);
  }
}

/** The next try is due after its pause; after the last one the analysis has failed. */
async function failedTry(deps: AttemptDeps, due: DueAnalysis, failure: ModelFailure | null): Promise<void> {
  const { analyses, clock } = deps;
  const pause = PAUSES[due.tries];
  if (pause === undefined) return fail(deps, due, reasonOf(failure), due.tries + 1);
  const asked = Math.min(failure?.retryAfterMillis ?? 0, LONGEST_RETRY_AFTER);
  await analyses.failed(due.analysisId, due.used, plusMillis(clock.now(), Math.max(pause, asked)));
}

export function reasonOf(failure: ModelFailure | null): AnalysisFailure {
  if (failure === null) return "gave_up";
  return failure.kind === "garbage" ? "not_valid" : "model_unavailable";
}

function fail(deps: AttemptDeps, due: DueAnalysis, reason: AnalysisFailure, tries: number): Promise<void> {
  const { analysisId, used: model } = due;
  return record(deps, due, { type: "FailAnalysis", analysisId, reason, tries, model, now: deps.clock.now() });
}

async function record(
  { calls, analyses }: AttemptDeps,
  { analysisId, callId, owner }: DueAnalysis,
  command: Extract<CallCommand, { readonly type: "RecordAnalysis" | "FailAnalysis" }>,
): Promise<void> {
  await calls.handle(callStream(callId), [command], processOrigin(PROCESS, owner, callId));
  await analyses.done(analysisId);
}

/** No model is to blame: a store is away, the call cannot be read, or a mistake of ours. */
async function afterError(deps: AttemptDeps, due: DueAnalysis, error: unknown): Promise<void> {
  const { analyses, clock, givenUp, logger, isTransient } = deps;
  const { analysisId, callId } = due;
  // What is no wish in the log cannot fail there.
  const isLastLook = !due.wished && due.tries >= PAUSES.length && !isTransient(error);
  if (isRefusedForGood(error) || isLastLook) {
    givenUp.add("analysis-runner", { callId, analysisId }, error);
    await analyses.done(analysisId);
    return;
  }
  logger.error({ callId, analysisId, error }, "an analysis was interrupted; it is tried again");
  if (isTransient(error)) await analyses.giveBack(due, plusMillis(clock.now(), AFTER_FAILURE_MILLIS));
  else await failedTry(deps, due, null);
}
