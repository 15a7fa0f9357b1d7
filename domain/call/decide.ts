import type { Of } from "../shared/decider.ts";
import { assertNever } from "../shared/errors.ts";
import {
  addMessage,
  failRecording,
  recordAnswered,
  recordConversationStarted,
  recordRecording,
  recordRinging,
} from "./carrier-rules.ts";
import type { CallCommand } from "./commands.ts";
import {
  addUtterance,
  beginTool,
  cutSpeech,
  endTool,
  failTurn,
  handOver,
  recordDigits,
} from "./conversation-rules.ts";
import { expireDeadline } from "./deadline-rules.ts";
import { isLive } from "./deadlines.ts";
import { beginDialing, recordNeverDialled, recordRejected, recordUnknownOutcome } from "./dial-rules.ts";
import { endedByCarrier, failed } from "./ending.ts";
import type { CallEvent, EndWishReason } from "./events.ts";
import { recordMachineJudged } from "./machine-rules.ts";
import { momentOf } from "./moment.ts";
import { beginSession, endSession, startConversation } from "./session-rules.ts";
import { type CallState, type ExistingCall, existing } from "./state.ts";

type ConversationCommand = Of<
  CallCommand,
  | "BeginSession"
  | "EndSession"
  | "StartConversation"
  | "AddUtterance"
  | "CutSpeech"
  | "BeginTool"
  | "EndTool"
  | "HandOver"
  | "RecordDigits"
  | "FailTurn"
  | "RecordMachineJudged"
>;

/**
 * The rules of a call. What is true already gives no event; carrier events after the end are
 * recorded, never applied.
 */
export function decideCall(command: CallCommand, state: CallState): readonly CallEvent[] {
  if (command.type === "StartCall") return startCall(command, state);
  const call = existing(state);
  switch (command.type) {
    case "BeginDialing":
      return beginDialing(command, call);
    case "RecordAccepted":
      return recordRinging(
        { carrierRef: command.carrierRef, sequence: null, occurredAt: command.now, now: command.now },
        call,
      );
    case "RecordRejected":
      return recordRejected(command, call);
    case "RecordNeverDialled":
      return recordNeverDialled(command, call);
    case "RecordUnknownOutcome":
      return recordUnknownOutcome(command, call);
    case "RecordRinging":
      return recordRinging(command, call);
    case "RecordAnswered":
      return recordAnswered(command, call);
    case "RecordConversationStarted":
      return recordConversationStarted(command, call);
    case "AddMessage":
      return addMessage(command, call);
    case "RequestEnd":
      return requestEnd(command, call);
    case "RecordEnded":
      return endedByCarrier(command, call);
    case "RecordRecording":
      return recordRecording(command, call);
    case "FailRecording":
      return failRecording(command, call);
    case "ExpireDeadline":
      return expireDeadline(command, call);
    case "EraseContent":
      return eraseContent(command, call);
    default:
      return decideConversation(command, call);
  }
}

/** What a session tells, and who speaks in it. */
function decideConversation(command: ConversationCommand, call: ExistingCall): readonly CallEvent[] {
  switch (command.type) {
    case "BeginSession":
      return beginSession(command, call);
    case "EndSession":
      return endSession(command, call);
    case "StartConversation":
      return startConversation(command, call);
    case "AddUtterance":
      return addUtterance(command, call);
    case "CutSpeech":
      return cutSpeech(command, call);
    case "BeginTool":
      return beginTool(command, call);
    case "EndTool":
      return endTool(command, call);
    case "HandOver":
      return handOver(command, call);
    case "RecordDigits":
      return recordDigits(command, call);
    case "FailTurn":
      return failTurn(command, call);
    case "RecordMachineJudged":
      return recordMachineJudged(command, call);
    default:
      return assertNever(command);
  }
}

function eraseContent(
  { erasureId, now }: Of<CallCommand, "EraseContent">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.contentErased) return [];
  return [{ type: "CallContentErased", data: { callId: state.callId, at: momentOf(state, now), erasureId } }];
}

function startCall({ request }: Of<CallCommand, "StartCall">, state: CallState): readonly CallEvent[] {
  return state.callId === null ? [{ type: "CallRequested", data: request }] : [];
}

/** Reasons that are valid before the answer, too. */
const BEFORE_THE_ANSWER: ReadonlySet<EndWishReason> = new Set(["api", "campaign_cancelled"]);

/**
 * Before the dial the call ends at once. Otherwise the carrier is asked to hang up, and the watchdog closes
 * the call if it does not. The first request counts.
 */
function requestEnd(
  { by, reason, now }: Of<CallCommand, "RequestEnd">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.endRequested !== null) return [];
  if (state.connectedAt === null && !BEFORE_THE_ANSWER.has(reason)) return [];
  const at = momentOf(state, now);
  const requested: CallEvent = { type: "CallEndRequested", data: { callId: state.callId, at, by, reason } };
  if (state.dialBeganAt !== null) return [requested];
  return [requested, failed(state, at, "canceled", by, null)];
}
