import { type CommandOf, type Decider, judgedBy, typesOf } from "../shared/decider.ts";
import type { ErasureId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { analysisRules } from "./analysis-rules.ts";
import { carrierRules } from "./carrier-rules.ts";
import { conversationRules } from "./conversation-rules.ts";
import { expireDeadline } from "./deadline-rules.ts";
import { isLive } from "./deadlines.ts";
import { dialRules } from "./dial-rules.ts";
import { endedByCarrier, failed } from "./ending.ts";
import type { CallEvent, CallRequested, EndWishBy, EndWishReason, OptOutBy } from "./events.ts";
import { callFolds, evolveCall } from "./evolve.ts";
import { recordMachineJudged } from "./machine-rules.ts";
import { momentOf } from "./moment.ts";
import { sessionRules } from "./session-rules.ts";
import { type CallState, type ExistingCall, existing, initialCallState } from "./state.ts";

const openingRules = { StartCall: startCall };

const rules = {
  ...dialRules,
  ...carrierRules,
  RequestEnd: requestEnd,
  RecordEnded: endedByCarrier,
  ExpireDeadline: expireDeadline,
  ...sessionRules,
  ...conversationRules,
  RecordMachineJudged: recordMachineJudged,
  RecordOptedOut: recordOptedOut,
  RevokeOptOut: revokeOptOut,
  ...analysisRules,
  EraseContent: eraseContent,
};

export type CallCommand = CommandOf<typeof openingRules> | CommandOf<typeof rules>;

export const callDecider: Decider<CallState, CallCommand, CallEvent> = {
  initialState: initialCallState,
  types: typesOf(callFolds),
  evolve: evolveCall,
  decide: decideCall,
};

/**
 * The rules of a call. What is true already gives no event; carrier events after the end are
 * recorded, never applied.
 */
function decideCall(command: CallCommand, state: CallState): readonly CallEvent[] {
  return command.type === "StartCall"
    ? judgedBy(openingRules, command, state)
    : judgedBy(rules, command, existing(state));
}

/** Recorded once. The caller checks that the call has ended. */
function eraseContent(
  { erasureId, now }: { readonly erasureId: ErasureId; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.contentErased) return [];
  return [{ type: "CallContentErased", data: { callId: state.callId, at: momentOf(state, now), erasureId } }];
}

type OptOut = {
  readonly by: OptOutBy;
  readonly messageIndex: number | null;
  readonly saidAt: Instant;
  readonly now: Instant;
};

/** Once a call, at any time: what was said is judged after it is durable. */
function recordOptedOut(
  { by, messageIndex, saidAt, now }: OptOut,
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.optedOut !== null || state.connectedAt === null) return [];
  const data = { callId: state.callId, at: momentOf(state, now), by, messageIndex, saidAt };
  return [{ type: "CallOptedOut", data }];
}

function revokeOptOut(
  { by, now }: { readonly by: string; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  if (state.optedOut === null || state.optedOut.revoked) return [];
  return [{ type: "CallOptOutRevoked", data: { callId: state.callId, at: momentOf(state, now), by } }];
}

function startCall(
  { request }: { readonly request: CallRequested["data"] },
  state: CallState,
): readonly CallEvent[] {
  return state.callId === null ? [{ type: "CallRequested", data: request }] : [];
}

/** Reasons that are valid before the answer, too. */
const BEFORE_THE_ANSWER: ReadonlySet<EndWishReason> = new Set(["api", "campaign_cancelled"]);

type Wish = { readonly by: EndWishBy; readonly reason: EndWishReason; readonly now: Instant };

/**
 * Before the dial the call ends at once. Otherwise the carrier is asked to hang up, and the watchdog closes
 * the call if it does not. The first request counts.
 */
function requestEnd({ by, reason, now }: Wish, state: ExistingCall): readonly CallEvent[] {
  if (!isLive(state) || state.endRequested !== null) return [];
  if (state.connectedAt === null && !BEFORE_THE_ANSWER.has(reason)) return [];
  const at = momentOf(state, now);
  const requested: CallEvent = { type: "CallEndRequested", data: { callId: state.callId, at, by, reason } };
  if (state.dialBeganAt !== null) return [requested];
  return [requested, failed(state, at, "canceled", by, null)];
}
