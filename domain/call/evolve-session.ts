import { assertNever } from "../shared/errors.ts";
import type {
  CallDigitsReceived,
  CallHandedOver,
  CallSessionBegan,
  CallSessionEnded,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
  CallTurnFailed,
} from "./conversation-events.ts";
import type { CallEvent, CallMachineJudged } from "./events.ts";
import type { CallState } from "./state.ts";

type SessionEvent =
  | CallSessionBegan
  | CallSessionEnded
  | CallSpeechCut
  | CallToolBegan
  | CallToolEnded
  | CallHandedOver
  | CallDigitsReceived
  | CallMachineJudged
  | CallTurnFailed;

const SESSION_TYPES: ReadonlySet<CallEvent["type"]> = new Set([
  "CallSessionBegan",
  "CallSessionEnded",
  "CallSpeechCut",
  "CallToolBegan",
  "CallToolEnded",
  "CallHandedOver",
  "CallDigitsReceived",
  "CallMachineJudged",
  "CallTurnFailed",
]);

export function isSessionEvent(event: CallEvent): event is SessionEvent {
  return SESSION_TYPES.has(event.type);
}

/** Events of a conversation. The state keeps flags and counts, no texts. */
export function evolveSession(state: CallState, event: SessionEvent): CallState {
  switch (event.type) {
    case "CallSessionBegan":
      state.lastEpoch = event.data.epoch;
      return session(state, true, event.data.at);
    case "CallSessionEnded":
      return event.data.epoch === state.lastEpoch ? session(state, false, event.data.at) : state;
    case "CallSpeechCut":
      state.cut.add(event.data.messageIndex);
      return state;
    case "CallToolBegan":
      state.toolCalls.set(event.data.toolCallId, "open");
      return placed(state, event.data.turn);
    case "CallToolEnded":
      state.toolCalls.set(event.data.toolCallId, "ended");
      return state;
    case "CallHandedOver":
      state.toolCalls.set(event.data.toolCallId, "ended");
      return placed(state, event.data.turn);
    case "CallDigitsReceived":
    case "CallTurnFailed":
      state.turns = Math.max(state.turns, event.data.turn);
      return state;
    case "CallMachineJudged":
      return judged(state, event.data);
    default:
      return assertNever(event);
  }
}

function session(state: CallState, open: boolean, since: CallSessionBegan["data"]["at"]): CallState {
  state.sessionOpen = open;
  state.sessionSince = since;
  return state;
}

function placed(state: CallState, turn: number): CallState {
  state.messages += 1;
  state.turns = Math.max(state.turns, turn);
  return state;
}

function judged(state: CallState, data: CallMachineJudged["data"]): CallState {
  const { answeredBy, by, greetingEnded, policyApplied } = data;
  state.answeredBy = answeredBy;
  state.machineVerdict = { answeredBy, by, greetingEnded, policyApplied };
  if (data.dedupeKey !== undefined) state.appliedKeys.add(data.dedupeKey);
  return state;
}
