import { assertNever, DomainError } from "../shared/errors.ts";
import {
  addMessage,
  recordAnswered,
  recordConversationStarted,
  recordRecording,
  recordRinging,
} from "./carrier-rules.ts";
import type { CallCommand } from "./commands.ts";
import { expireDeadline } from "./deadline-rules.ts";
import { isLive } from "./deadlines.ts";
import { endedByCarrier, failed } from "./ending.ts";
import type { CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
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
    case "EndSession":
    case "StartConversation":
    case "AddUtterance":
    case "CutSpeech":
    case "BeginTool":
    case "EndTool":
    case "HandOver":
    case "RecordDigits":
    case "FailTurn":
    case "RecordMachineJudged":
      return [];
    default:
      return assertNever(command);
  }
}

type Of<Type extends CallCommand["type"]> = Extract<CallCommand, { readonly type: Type }>;

function eraseContent({ erasureId, now }: Of<"EraseContent">, state: ExistingCall): readonly CallEvent[] {
  if (state.contentErased) return [];
  return [{ type: "CallContentErased", data: { callId: state.callId, at: momentOf(state, now), erasureId } }];
}

function startCall({ request }: Of<"StartCall">, state: CallState): readonly CallEvent[] {
  return state.callId === null ? [{ type: "CallRequested", data: request }] : [];
}

/**
 * Nothing is dialled from dialBy on (it may be the moment at which the window closes), to a suppressed number, without the texts that were to be
 * said, or for a call that was to end before.
 */
function beginDialing(
  { now, suppressed, invalidText }: Of<"BeginDialing">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.dialBeganAt !== null) return [];
  const at = momentOf(state, now);
  if (invalidText !== undefined) {
    const error = { code: "invalid_text", message: invalidText, carrierCode: null };
    return [failed(state, at, "invalid_text", "system", error)];
  }
  if (suppressed) return [failed(state, at, "suppressed", "system", null)];
  if (state.dialBy === null || at >= state.dialBy) return [failed(state, at, "not_placed", "system", null)];
  return [{ type: "CallDialingBegan", data: { callId: state.callId, at } }];
}

/** A carrier that told of the call before has not rejected it. */
function recordRejected(
  { endReason, error, now }: Of<"RecordRejected">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null) return [];
  return [failed(state, momentOf(state, now), endReason, "system", error)];
}

function recordUnknownOutcome(
  { cause, now }: Of<"RecordUnknownOutcome">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.status !== "initiating" || state.dialBeganAt === null || state.outcomeUnknownAt !== null)
    return [];
  return [
    { type: "CallDialOutcomeUnknown", data: { callId: state.callId, at: momentOf(state, now), cause } },
  ];
}

/** Before the dial the call is over at once; after it the carrier has to agree, or the due loop closes it. */
function requestEnd({ by, reason, now }: Of<"RequestEnd">, state: ExistingCall): readonly CallEvent[] {
  if (!isLive(state) || state.endRequested !== null) return [];
  if (reason === "max_duration" && state.connectedAt === null) return [];
  const at = momentOf(state, now);
  const requested: CallEvent = { type: "CallEndRequested", data: { callId: state.callId, at, by, reason } };
  if (state.dialBeganAt !== null) return [requested];
  return [requested, failed(state, at, "canceled", by, null)];
}
