import type { Folds } from "../shared/decider.ts";
import type { CallSessionBegan } from "./conversation-events.ts";
import type { CallMachineJudged, CallSessionEvent } from "./events.ts";
import type { CallState } from "./state.ts";

/** Events of a conversation. The state keeps flags and counts, no texts. */
export const sessionFolds: Folds<CallState, CallSessionEvent> = {
  CallSessionBegan: (state, { epoch, at }) => {
    state.lastEpoch = epoch;
    return session(state, true, at);
  },
  CallSessionEnded: (state, { epoch, at }) => (epoch === state.lastEpoch ? session(state, false, at) : state),
  CallSpeechCut: (state, { messageIndex }) => {
    state.cut.add(messageIndex);
    return state;
  },
  CallToolBegan: (state, { toolCallId, turn }) => {
    state.toolCalls.set(toolCallId, "open");
    return placed(state, turn);
  },
  CallToolEnded: (state, { toolCallId }) => {
    state.toolCalls.set(toolCallId, "ended");
    return state;
  },
  CallHandedOver: (state, { toolCallId, turn }) => {
    state.toolCalls.set(toolCallId, "ended");
    return placed(state, turn);
  },
  CallDigitsReceived: (state, { turn }) => turnReached(state, turn),
  CallMachineJudged: judged,
  CallTurnFailed: (state, { turn }) => turnReached(state, turn),
};

function turnReached(state: CallState, turn: number): CallState {
  state.turns = Math.max(state.turns, turn);
  return state;
}

function session(state: CallState, open: boolean, since: CallSessionBegan["data"]["at"]): CallState {
  state.sessionOpen = open;
  state.sessionSince = since;
  return state;
}

function placed(state: CallState, turn: number): CallState {
  state.messages += 1;
  return turnReached(state, turn);
}

function judged(state: CallState, data: CallMachineJudged["data"]): CallState {
  const { answeredBy, by, greetingEnded, policyApplied } = data;
  state.answeredBy = answeredBy;
  state.machineVerdict = { answeredBy, by, greetingEnded, policyApplied };
  if (data.dedupeKey !== undefined) state.appliedKeys.add(data.dedupeKey);
  return state;
}
