import { DomainError } from "../shared/errors.ts";
import { type Instant, millisOf, plusMillis } from "../shared/instant.ts";
import { impliedAnswer } from "./carrier-rules.ts";
import type { SessionEndCause, SessionKind } from "./conversation-events.ts";
import { isLive } from "./deadlines.ts";
import type { CallEvent } from "./events.ts";
import { carrierMoment } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

/**
 * A fact of a conversation. `epoch` is that of its session; any but the latest, or a closed one, is
 * refused with DomainError "call.session-over". `at` is when it happened. For 3 s after the end of the
 * call, AddUtterance, CutSpeech, RecordDigits and EndTool (with `at` not after the end) and EndSession are
 * still accepted. Everything else is refused with "call.over", and so is every text once the content of
 * the call was erased.
 */
export type SessionFact = { readonly epoch: number; readonly at: Instant; readonly now: Instant };

export const sessionRules = {
  BeginSession: beginSession,
  EndSession: endSession,
  StartConversation: startConversation,
};

/** How long after the end of the call a session may still report what happened before it. */
const LAST_WORDS_MILLIS = 3_000;

/**
 * Opens the next session and closes the older one: commands of its epoch are refused from here on. On a call
 * whose answer was not reported, the session proves the answer, once the carrier's name of the call is known;
 * before that it is refused with DomainError "call.not-answered", and after the end with "call.over".
 */
function beginSession(
  { kind, now }: { readonly kind: SessionKind; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state)) throw callOver();
  const answer =
    state.connectedAt === null
      ? impliedAnswer(state, { occurredAt: now, now, answeredBy: "unknown" })
      : undefined;
  if (answer === null) throw new DomainError("call.not-answered", "Nobody has answered this call");
  const at = carrierMoment(state, now, now);
  const epoch = state.lastEpoch + 1;
  const gapMillis = state.sessionSince === null ? null : gapUntil(at, state);
  const began: CallEvent = {
    type: "CallSessionBegan",
    data: { callId: state.callId, at, epoch, kind, gapMillis },
  };
  return answer === undefined ? [began] : [answer, began];
}

function gapUntil(at: CallEvent["data"]["at"], { sessionOpen, sessionSince }: ExistingCall): number {
  return sessionOpen || sessionSince === null ? 0 : millisOf(at) - millisOf(sessionSince);
}

/** A repeat changes nothing. After the end of the call, the time of the end is used. */
function endSession(
  command: SessionFact & { readonly cause: SessionEndCause },
  state: ExistingCall,
): readonly CallEvent[] {
  const { epoch, cause, at, now } = command;
  if (epoch !== state.lastEpoch) throw sessionOver();
  if (!state.sessionOpen) return [];
  if (state.endedAt !== null && isTooLate(command, state)) throw callOver();
  const moment = carrierMoment(state, at, now);
  return [{ type: "CallSessionEnded", data: { callId: state.callId, at: moment, epoch, cause } }];
}

/** The first words of the greeting were given to the session. */
function startConversation(command: SessionFact, state: ExistingCall): readonly CallEvent[] {
  requireLive(command, state);
  if (state.status !== "connected") return [];
  const at = carrierMoment(state, command.at, command.now);
  const { epoch } = command;
  return [
    {
      type: "CallConversationStarted",
      data: { callId: state.callId, at, carrierRef: null, sequence: null, epoch },
    },
  ];
}

/** Only the latest session may report, and only while it is open. */
function requireOpen({ epoch }: SessionFact, state: ExistingCall): void {
  if (epoch !== state.lastEpoch || !state.sessionOpen) throw sessionOver();
}

export function requireLive(fact: SessionFact, state: ExistingCall): void {
  requireOpen(fact, state);
  if (!isLive(state)) throw callOver();
}

/**
 * Also accepted shortly after the end, for what happened before it. Refused once the texts of
 * the call were erased.
 */
export function requireLiveThen(fact: SessionFact, state: ExistingCall): void {
  requireOpen(fact, state);
  if (state.contentErased) throw callOver();
  if (state.endedAt !== null && (fact.at > state.endedAt || isTooLate(fact, state))) throw callOver();
}

function isTooLate({ now }: SessionFact, { endedAt }: ExistingCall): boolean {
  return endedAt !== null && now > plusMillis(endedAt, LAST_WORDS_MILLIS);
}

function sessionOver(): DomainError {
  return new DomainError(
    "call.session-over",
    "Another session of this call has begun, or this one has ended",
  );
}

function callOver(): DomainError {
  return new DomainError("call.over", "The call has ended");
}
