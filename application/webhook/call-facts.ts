import type { ShownMessage } from "../../contract/conversation.ts";
import type { CallOutcome } from "../../contract/outcome.ts";
import type { CallEndedBody } from "../../contract/webhook-body.ts";
import type { CarrierKind } from "../../domain/call/carrier-identity.ts";
import type {
  AnalysisId,
  AnsweredBy,
  CallAnalysed,
  CallAnalysisFailed,
  CallCompleted,
  CallConnected,
  CallEvent,
  CallFailed,
  CallRecordingAvailable,
  CallRequested,
} from "../../domain/call/events.ts";
import type { SaidOptOut } from "../../domain/conversation/opt-out.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type KeptOutcome,
  numberOfAnalysis,
  outcomeAfter,
  shownOutcome,
} from "../call/analysis/shown-outcome.ts";
import { changedMessage, messageOf, toolCallIdOf } from "../call/shown-messages.ts";

/** The data for the two webhook bodies of a call, folded from its stream. */
export type CallFacts = {
  request: CallRequested["data"];
  /** By which it was dialled; null: not dialled yet, or by a release that did not store it. */
  carrier: CarrierKind | null;
  answer: CallConnected["data"] | null;
  /** The last verdict; null: that of the answer. */
  judgedAs: AnsweredBy | null;
  readonly messages: ShownMessage[];
  /** Index of each tool message that has no result yet. */
  readonly toolsAsked: Map<string, number>;
  /** Epoch of the latest session; 0: there was none. */
  epoch: number;
  /** The latest epoch whose session has ended. */
  endedEpoch: number;
  end: CallCompleted | CallFailed | null;
  recording: CallRecordingAvailable["data"] | null;
  /** Who was called asked never to be called again. Told by the event, or by KnownCalls before it comes. */
  optedOut: SaidOptOut | null;
  /** When they want to be called again, by the latest agreement; null: not so. */
  callback: CallEndedBody["callback"];
  /** What it brought home so far; undefined: nobody has asked. */
  outcome: KeptOutcome | undefined;
  /** The analyses that were answered or given up, each with the outcome right after it. */
  analyses: readonly ToldAnalysis[];
  /** Its texts were erased. */
  erased: boolean;
};

export type ToldAnalysis = {
  readonly analysisId: AnalysisId;
  /** Counted from 1. */
  readonly number: number;
  readonly at: Instant;
  readonly outcome: CallOutcome;
};

export function beginCallFacts(request: CallRequested["data"]): CallFacts {
  return {
    request,
    carrier: null,
    answer: null,
    judgedAs: null,
    messages: [],
    toolsAsked: new Map(),
    epoch: 0,
    endedEpoch: 0,
    end: null,
    recording: null,
    optedOut: null,
    callback: null,
    outcome: undefined,
    analyses: [],
    erased: false,
  };
}

/** Applies an event to its story; a repeat changes nothing. */
export function addEvent(facts: CallFacts, event: CallEvent): void {
  switch (event.type) {
    case "CallDialingBegan":
      facts.carrier = event.data.carrier?.kind ?? null;
      break;
    case "CallConnected":
      facts.answer ??= event.data;
      break;
    case "CallMachineJudged":
      facts.judgedAs = event.data.answeredBy;
      break;
    case "CallMessageAdded":
    case "CallToolBegan":
    case "CallHandedOver":
      addMessage(facts, event);
      break;
    case "CallSpeechCut":
      if (facts.messages[event.data.messageIndex]?.interrupted !== true)
        changeMessage(facts, event.data.messageIndex, event);
      break;
    case "CallToolEnded":
      changeMessage(facts, facts.toolsAsked.get(event.data.toolCallId), event);
      facts.toolsAsked.delete(event.data.toolCallId);
      break;
    case "CallSessionBegan":
      facts.epoch = Math.max(facts.epoch, event.data.epoch);
      break;
    case "CallSessionEnded":
      facts.endedEpoch = Math.max(facts.endedEpoch, event.data.epoch);
      break;
    case "CallCompleted":
    case "CallFailed":
      facts.end ??= event;
      break;
    case "CallRecordingAvailable":
      facts.recording ??= event.data;
      break;
    case "CallOptedOut":
      facts.optedOut ??= event.data;
      break;
    case "CallCallbackAgreed": {
      const { asked: at, callbackAt, zone, note } = event.data;
      facts.callback = at === null ? null : { at, callbackAt, zone, note: facts.erased ? null : note };
      break;
    }
    case "CallAnalysisRequested":
      if (facts.outcome?.asked.includes(event.data.analysisId) !== true)
        facts.outcome = outcomeAfter(facts.outcome, event);
      break;
    case "CallAnalysed":
    case "CallAnalysisFailed":
      addAnalysis(facts, event);
      break;
    case "CallContentErased":
      forgetWords(facts);
      break;
    default:
      break;
  }
}

function addAnalysis(facts: CallFacts, event: CallAnalysed | CallAnalysisFailed): void {
  const { analysisId, at } = event.data;
  if (facts.analyses.some((told) => told.analysisId === analysisId)) return;
  const outcome = outcomeAfter(facts.outcome, event);
  facts.outcome = outcome;
  const number = outcome === undefined ? 0 : numberOfAnalysis(outcome, analysisId);
  const told = { analysisId, number, at, outcome: shownOutcome(outcome, facts.erased) };
  facts.analyses = [...facts.analyses, told];
}

function addMessage(facts: CallFacts, event: CallEvent): void {
  const message = facts.erased ? null : messageOf(event);
  if (message?.index !== facts.messages.length) return;
  facts.messages.push(message);
  const toolCallId = toolCallIdOf(event);
  if (toolCallId !== null) facts.toolsAsked.set(toolCallId, message.index);
}

function changeMessage(
  { messages }: CallFacts,
  index: number | undefined,
  event: Parameters<typeof changedMessage>[1],
): void {
  const message = index === undefined ? undefined : messages[index];
  if (message !== undefined) messages[message.index] = changedMessage(message, event);
}

function forgetWords(facts: CallFacts): void {
  facts.erased = true;
  if (facts.callback !== null) facts.callback = { ...facts.callback, note: null };
  facts.messages.length = 0;
  facts.toolsAsked.clear();
  facts.analyses = facts.analyses.map((told) => ({ ...told, outcome: shownOutcome(undefined, true) }));
  facts.request = {
    ...facts.request,
    greetingMessage: null,
    specialInstructions: null,
    voicemailMessage: null,
  };
}

/** Their recordings come when nobody waits for them any more. */
const LATE_RECORDINGS: ReadonlySet<CarrierKind | null> = new Set(["twilio"]);

/** A recording was announced, comes soon after the end, and has not been reported yet. */
export function awaitsRecording(facts: CallFacts): boolean {
  if (facts.erased || LATE_RECORDINGS.has(facts.carrier)) return false;
  return facts.end?.data.recordingStatus === "pending" && facts.recording === null;
}

/** The session has not ended, so the conversation may still record something. */
export function awaitsLastWord({ epoch, endedEpoch }: CallFacts): boolean {
  return epoch > endedEpoch;
}
