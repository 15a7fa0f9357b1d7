import type { AnalysisModel, CallEvent } from "../../../domain/call/events.ts";
import { ownZoneOf } from "../../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import { type JudgedAnswer, judgeAnswer, judgeRepaired } from "../../../domain/outcome/judge-answer.ts";
import { askForRepair, askOutcome } from "../../../domain/outcome/question.ts";
import { readTranscript } from "../../../domain/outcome/transcript.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Campaigns } from "../../log/aggregates.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { AnalysisSettings, AnalysisTokens } from "../../ports/analyses.ts";
import type { AnalysisModels, AnalysisQuestion, AnalysisReply } from "../../ports/analysis-model.ts";
import type { Clock } from "../../ports/clock.ts";
import { ModelFailure } from "../../ports/language-model.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { createSleepCut } from "../../wake-signal.ts";

/** For the answer and its repair together. */
const TRY_MILLIS = 30_000;
/** With less than that left nothing is repaired: the answer would only be cut off. */
const REPAIR_MILLIS = 3_000;
/** Of a single call: its side has told no zone. */
const NO_ZONE = "UTC";
const NOT_AS_ASKED = "The model's answer has not the form that was asked for";

export type AskingDeps = {
  readonly analysisModels: AnalysisModels;
  readonly analysisTokens: AnalysisTokens;
  readonly campaigns: Pick<Campaigns, "query">;
  readonly clock: Clock;
};

/** What is asked, and what is to be stored of the answer. `model`: with the tokens of all requests. */
export type AskedCall = Omit<JudgedAnswer, "faults"> & {
  readonly enums?: readonly string[];
  readonly truncated: boolean;
  readonly model: AnalysisModel;
};

/**
 * Asks a model what a call brought home, with one repair of what did not fit; what still does not is left
 * out. Every request's tokens count on the day on which it ended, also those of a failure. Rejects with
 * ModelFailure and the tokens used (`garbage`: no part of the answer can be read), within 30 s.
 */
export async function askAboutCall(
  deps: Omit<AskingDeps, "campaigns">,
  owner: OwnerId,
  settings: AnalysisSettings,
  question: AnalysisQuestion,
  stop: AbortSignal,
): Promise<AskedCall> {
  const { outcome, transcript } = question;
  const limit = deps.clock.monotonicMillis() + TRY_MILLIS;
  const ask = (about: AnalysisQuestion) => askOnce(deps, owner, settings, about, { limit, stop });
  const first = await ask(question);
  const judged = judgeAnswer(outcome, transcript, first.answer);
  const isRepaired = judged.faults.length > 0 && limit - deps.clock.monotonicMillis() >= REPAIR_MILLIS;
  const again = isRepaired
    ? await repairOf(() => ask({ ...question, ...askForRepair(question, judged.faults) }))
    : NO_REPAIR;
  const { faults, ...answer } =
    again.reply === null ? judged : judgeRepaired(outcome, transcript, [first.answer, again.reply.answer]);
  const model = tokensOfBoth(first.model, again.used) ?? first.model;
  if (faults.some(({ place }) => place === "")) throw new ModelFailure("garbage", NOT_AS_ASKED, null, model);
  return { ...recordOf(question, answer), model };
}

/** What CallAnalysed says of a judged answer. */
export function recordOf(
  { outcome, transcript }: Pick<AnalysisQuestion, "outcome" | "transcript">,
  judged: Omit<JudgedAnswer, "faults">,
): Omit<AskedCall, "model"> {
  const enums = outcome.fields.filter(({ type }) => type === "enum").map(({ name }) => name);
  return { ...judged, ...(enums.length === 0 ? {} : { enums }), truncated: transcript.truncated };
}

/** What is asked about this call, in its time and zone. */
export async function questionAbout(
  deps: Pick<AskingDeps, "campaigns">,
  { outcome, language }: AnalysisSettings,
  events: readonly CallEvent[],
): Promise<AnalysisQuestion> {
  const transcript = readTranscript(events);
  const asked = askOutcome(outcome, transcript, { language, timezone: await zoneOfCall(deps, events) });
  return { ...asked, outcome, transcript };
}

type Repair = { readonly reply: AnalysisReply | null; readonly used: AnalysisModel | null };
const NO_REPAIR: Repair = { reply: null, used: null };

/** One that fails leaves the first answer as it is. */
async function repairOf(ask: () => Promise<AnalysisReply>): Promise<Repair> {
  try {
    const reply = await ask();
    return { reply, used: reply.model };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { reply: null, used: error.used };
  }
}

type TryLimits = { readonly limit: number; readonly stop: AbortSignal };

/** Ends at the limit and at `stop`, also if the model hears no abort. */
async function askOnce(
  { analysisModels, clock, ...deps }: Omit<AskingDeps, "campaigns">,
  owner: OwnerId,
  settings: AnalysisSettings,
  question: AnalysisQuestion,
  { limit, stop }: TryLimits,
): Promise<AnalysisReply> {
  const millis = Math.max(0, limit - clock.monotonicMillis());
  const cut = new AbortController();
  const timer = createSleepCut();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (failure: ModelFailure) => {
    cut.abort();
    reject(failure);
  };
  const onStop = () => end(new ModelFailure("aborted", "This process stops"));
  stop.addEventListener("abort", onStop);
  if (stop.aborted) onStop();
  void clock.sleep(millis, timer).then(() => {
    if (!timer.aborted) end(new ModelFailure("first_part_late", "The model took more than 30 s"));
  });
  try {
    const limits = { signal: cut.signal, millis };
    const reply = await Promise.race([analysisModels.ask(owner, settings, question, limits), ended]);
    await countTokens({ clock, ...deps }, owner, reply.model);
    return reply;
  } catch (error) {
    if (error instanceof ModelFailure) await countTokens({ clock, ...deps }, owner, error.used);
    throw error;
  } finally {
    timer.abort();
    stop.removeEventListener("abort", onStop);
  }
}

/** On the day on which they were used. */
export async function countTokens(
  { analysisTokens, clock }: Pick<AskingDeps, "analysisTokens" | "clock">,
  owner: OwnerId,
  used: AnalysisModel | null,
): Promise<void> {
  if (used === null || (used.inputTokens ?? 0) + (used.outputTokens ?? 0) === 0) return;
  await analysisTokens.add(owner, clock.now().slice(0, 10), used);
}

/** Under the name of the later one; null: no model has answered. Tokens are null where nobody counted any. */
export function tokensOfBoth(
  first: AnalysisModel | null,
  second: AnalysisModel | null,
): AnalysisModel | null {
  if (first === null || second === null) return first ?? second;
  return {
    name: second.name,
    inputTokens: sum(first.inputTokens, second.inputTokens),
    outputTokens: sum(first.outputTokens, second.outputTokens),
  };
}

function sum(first: number | null, second: number | null): number | null {
  return first === null && second === null ? null : (first ?? 0) + (second ?? 0);
}

/** The contact's zone, or its campaign's. */
async function zoneOfCall(
  { campaigns }: Pick<AskingDeps, "campaigns">,
  [first]: readonly CallEvent[],
): Promise<string> {
  if (first?.type !== "CallRequested") return NO_ZONE;
  const { campaignId, contactId } = first.data;
  if (campaignId === null || contactId === null) return NO_ZONE;
  try {
    return await campaigns.query(campaignStream(campaignId), ({ contacts, settings }) => {
      const row = rowOf(contacts, contactId);
      const own = row === undefined ? null : ownZoneOf(contacts, row);
      return own ?? settings?.timezone ?? NO_ZONE;
    });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return NO_ZONE; // its campaign cannot be read
  }
}
