import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallMessage, CallToolEnded, SessionEndCause } from "../../domain/call/conversation-events.ts";
import type {
  CallAnalysed,
  CallCallbackAgreed,
  CallEvent,
  CallMachineJudged,
  CallRequested,
  OptOutBy,
} from "../../domain/call/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { AssistantId } from "../../domain/shared/ids.ts";

type Heard = {
  readonly names: Map<AssistantId, string>;
  /** By toolCallId, because results do not name their tool. */
  readonly tools: Map<string, string>;
};

/**
 * Describes a call's events for a person, a line each in UTC: how it was dialled, what was said and by whom,
 * what was cut, asked of tools and handed over, how it ended. Pass the events in order; erased texts are
 * described as erased.
 */
export function callSentences(): (recorded: RecordedEvent) => readonly string[] {
  const heard: Heard = { names: new Map(), tools: new Map() };
  return ({ event }) => {
    if (!isCallEvent(event)) return [];
    listen(heard, event);
    return [`${event.data.at}  ${sentence(heard, event)}`];
  };
}

function listen({ names, tools }: Heard, event: CallEvent): void {
  if (event.type === "CallRequested")
    for (const { assistantId, name } of [event.data.assistant, ...(event.data.squad?.members ?? [])])
      names.set(assistantId, name);
  if (event.type === "CallToolBegan") tools.set(event.data.toolCallId, event.data.toolName);
}

function sentence(heard: Heard, event: CallEvent): string {
  switch (event.type) {
    case "CallRequested":
      return requested(event.data);
    case "CallDialingBegan":
      return event.data.carrier === undefined
        ? "the carrier is asked to dial"
        : `the carrier is asked to dial (${event.data.carrier.connectionId ?? event.data.carrier.kind})`;
    case "CallRinging":
      return `it rings; the carrier calls it ${event.data.carrierRef}`;
    case "CallDialOutcomeUnknown":
      return `whether it was dialled is unknown: ${event.data.cause}`;
    case "CallConnected":
      return `answered by ${ANSWERERS[event.data.answeredBy]}`;
    case "CallConversationStarted":
      return "the conversation begins";
    case "CallMessageAdded":
      return said(heard, event.data.message);
    case "CallEndRequested":
      return `the end is asked for by ${event.data.by}: ${words(event.data.reason)}`;
    case "CallCompleted":
    case "CallFailed": {
      const { endReason, endedBy, durationSeconds, cost } = event.data;
      const by = endedBy === null ? "" : ` by ${endedBy}`;
      const length = durationSeconds === null ? "" : `, after ${Math.round(durationSeconds)} s`;
      return `ended${by}: ${words(endReason)}${length}, ${unitsToCredits(cost)} credits`;
    }
    case "CallRecordingAvailable":
      return event.data.status === "available" ? "the recording is there" : "there will be no recording";
    case "LateCarrierEventRecorded":
      return `the carrier tells too late, or of another call: ${event.data.carrierEventType}`;
    case "CallOptedOut":
      return `asked never to be called again: ${OPTED_OUT_BY[event.data.by]}`;
    case "CallOptOutRevoked":
      return `the number may be called again: taken off the list by ${event.data.by}`;
    case "CallCallbackAgreed":
      return agreed(event.data);
    case "CallAnalysisRequested":
      return `what it brought home is asked for by ${event.data.by}`;
    case "CallAnalysed":
      return `brought home: ${brought(event.data)}`;
    case "CallAnalysisFailed":
      return `what it brought home could not be found out: ${words(event.data.reason)}, ${event.data.tries} tries`;
    case "CallContentErased":
      return `its words were erased (${event.data.erasureId})`;
    default:
      return talked(heard, event);
  }
}

const OPTED_OUT_BY: Readonly<Record<OptOutBy, string>> = {
  words: "it was said",
  model: "the assistant understood it so",
  keypad: "the key for it was pressed",
};

function agreed({ asked, callbackAt, zone, moved, note }: CallCallbackAgreed["data"]): string {
  if (asked === null) return "asked not to be called back after all";
  const about = note === null ? "" : `: ${quoted(note)}`;
  if (callbackAt === null) return `asked to be called at ${asked}, which is only noted${about}`;
  return `asked to be called at ${asked} (${zone}); ${moved ? "moved to" : "that is"} ${callbackAt}${about}`;
}

/** Each value with the numbers of the messages that prove it. */
function brought({ fields, evidence, success }: CallAnalysed["data"]): string {
  if (fields === null) return "[erased]";
  const values = Object.entries(fields).map(([name, value]) => {
    const messages = evidence[name] ?? [];
    return `${name} ${JSON.stringify(value)}${messages.length === 0 ? "" : ` (messages ${messages.join(", ")})`}`;
  });
  return [...(success === null ? [] : [success ? "a success" : "no success"]), ...values].join("; ");
}

type Talk = Extract<
  CallEvent,
  {
    type:
      | "CallSessionBegan"
      | "CallSessionEnded"
      | "CallSpeechCut"
      | "CallToolBegan"
      | "CallToolEnded"
      | "CallHandedOver"
      | "CallDigitsReceived"
      | "CallMachineJudged"
      | "CallTurnFailed";
  }
>;

function talked({ names, tools }: Heard, event: Talk): string {
  switch (event.type) {
    case "CallSessionBegan": {
      const { kind, epoch, gapMillis } = event.data;
      const gap = gapMillis === null ? "" : `, ${gapMillis} ms after the one before was lost`;
      return `session ${epoch} is open (${words(kind)})${gap}`;
    }
    case "CallSessionEnded":
      return `session ${event.data.epoch} is over: ${SESSION_ENDS[event.data.cause]}`;
    case "CallSpeechCut": {
      const { heard, heardMillis, precision, messageIndex } = event.data;
      const how = precision === "exact" ? "" : "about ";
      return `message ${messageIndex} was cut after ${how}${heardMillis} ms; heard: ${quoted(heard)}`;
    }
    case "CallToolBegan":
      return `tool ${event.data.toolName} is asked: ${json(event.data.arguments)}`;
    case "CallToolEnded":
      return toolEnded(tools.get(event.data.toolCallId) ?? event.data.toolCallId, event.data);
    case "CallHandedOver": {
      const { from, to, reason } = event.data;
      const why = reason === null ? "" : `: ${reason}`;
      return `${names.get(from) ?? from} hands over to ${names.get(to) ?? to}${why}`;
    }
    case "CallDigitsReceived":
      return `the customer presses ${event.data.digits ?? `${event.data.count} keys (erased)`}`;
    case "CallMachineJudged":
      return judged(event.data);
    case "CallTurnFailed": {
      const { turn, kind, saidInstead } = event.data;
      return `turn ${turn} could not be answered: ${words(kind)}${saidInstead === null ? "" : `; said instead: ${quoted(saidInstead)}`}`;
    }
    default:
      return assertNever(event);
  }
}

const ANSWERERS = { human: "a person", machine: "a machine", unknown: "somebody" } as const;

const SESSION_ENDS: Readonly<Record<SessionEndCause, string>> = {
  hung_up: "the line was hung up",
  line_lost: "the line was lost",
  session_lost: "the session was lost",
  refused: "it was refused",
  finished: "everything was said",
  process_lost: "its process was lost",
};

function requested({ from, to, assistant, attempt, campaignId }: CallRequested["data"]): string {
  const where = campaignId === null ? "" : `, attempt ${attempt} of ${campaignId}`;
  return `a call from ${from} to ${to} by ${assistant.name} (version ${assistant.assistantVersion})${where}`;
}

function said({ names }: Heard, { role, assistantId, content, kind, toolName }: CallMessage): string {
  const assistant = assistantId === null ? "assistant" : (names.get(assistantId) ?? assistantId);
  const who = role === "assistant" ? assistant : role === "tool" ? (toolName ?? "tool") : role;
  const why = kind === undefined || kind === "answer" ? "" : ` (${kind})`;
  return `${who}${why}: ${quoted(content)}`;
}

function toolEnded(tool: string, { outcome, shown, evidence }: CallToolEnded["data"]): string {
  const facts = [
    evidence.status === null ? "" : `status ${evidence.status}`,
    evidence.rows === null ? "" : `${evidence.rows} rows`,
    evidence.millis === null ? "" : `${Math.round(evidence.millis)} ms`,
  ].filter((fact) => fact !== "");
  return `tool ${tool}: ${words(outcome)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}: ${quoted(shown)}`;
}

function judged({ answeredBy, by, afterMillis, policyApplied }: CallMachineJudged["data"]): string {
  const judge = by === "carrier" ? "the carrier" : "the sound";
  const then = policyApplied === null ? "" : `; voicemail: ${words(policyApplied)}`;
  return `${judge} says after ${afterMillis} ms that ${ANSWERERS[answeredBy]} answered${then}`;
}

function quoted(content: string | null): string {
  return content === null ? "(erased)" : `“${content}”`;
}

function json(value: unknown): string {
  return value === null ? "(erased)" : JSON.stringify(value);
}

function words(reason: string): string {
  return reason.replaceAll("_", " ");
}
