import { assertNever, DomainError } from "../shared/errors.ts";
import {
  addMessage,
  recordAnswered,
  recordConversationStarted,
  recordRecording,
  recordRinging,
} from "./carrier-rules.ts";
import type { CallCommand, CallCommandOf } from "./commands.ts";
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
import { beginDialing, recordNeverDialled, recordRejected, recordUnknownOutcome } from "./dial-rules.ts";
import { endedByCarrier } from "./ending.ts";
import type { CallEvent } from "./events.ts";
import { recordMachineJudged } from "./machine-rules.ts";
import { momentOf } from "./moment.ts";
import { requestEnd } from "./request-end.ts";
import { beginSession, endSession, startConversation } from "./session-rules.ts";
import { type CallState, type ExistingCall, isExistingCall } from "./state.ts";

/** The rules of a call. Already true → no event; what comes after the end is recorded, never applied. */
export function decideCall(command: CallCommand, state: CallState): readonly CallEvent[] {
  if (command.type === "StartCall") return startCall(command, state);
  if (!isExistingCall(state)) throw new DomainError("call.not-found", "There is no such call");
  switch (command.type) {
    case "BeginDialing":
      return beginDialing(command, state);
    case "RecordAccepted":
      return recordRinging(
        { carrierRef: command.carrierRef, sequence: null, occurredAt: command.now, now: command.now },
        state,
      );
    case "RecordRejected":
      return recordRejected(command, state);
    case "RecordNeverDialled":
      return recordNeverDialled(command, state);
    case "RecordUnknownOutcome":
      return recordUnknownOutcome(command, state);
    case "RecordRinging":
      return recordRinging(command, state);
    case "RecordAnswered":
      return recordAnswered(command, state);
    case "RecordConversationStarted":
      return recordConversationStarted(command, state);
    case "AddMessage":
      return addMessage(command, state);
    case "RequestEnd":
      return requestEnd(command, state);
    case "RecordEnded":
      return endedByCarrier(command, state);
    case "RecordRecording":
      return recordRecording(command, state);
    case "ExpireDeadline":
      return expireDeadline(command, state);
    case "EraseContent":
      return eraseContent(command, state);
    case "BeginSession":
      return beginSession(command, state);
    case "EndSession":
      return endSession(command, state);
    case "StartConversation":
      return startConversation(command, state);
    case "AddUtterance":
      return addUtterance(command, state);
    case "CutSpeech":
      return cutSpeech(command, state);
    case "BeginTool":
      return beginTool(command, state);
    case "EndTool":
      return endTool(command, state);
    case "HandOver":
      return handOver(command, state);
    case "RecordDigits":
      return recordDigits(command, state);
    case "FailTurn":
      return failTurn(command, state);
    case "RecordMachineJudged":
      return recordMachineJudged(command, state);
    default:
      return assertNever(command);
  }
}

function eraseContent(
  { erasureId, now }: CallCommandOf<"EraseContent">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.contentErased) return [];
  return [{ type: "CallContentErased", data: { callId: state.callId, at: momentOf(state, now), erasureId } }];
}

function startCall({ request }: CallCommandOf<"StartCall">, state: CallState): readonly CallEvent[] {
  return state.callId === null ? [{ type: "CallRequested", data: request }] : [];
}
