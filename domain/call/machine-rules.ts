import { type Instant, millisOf } from "../shared/instant.ts";
import type { CarrierRef } from "./carrier-identity.ts";
import { applies, impliedAnswer, late } from "./carrier-rules.ts";
import { isLive } from "./deadlines.ts";
import type { AnsweredBy, CallEvent, VoicemailPolicy } from "./events.ts";
import { policyThatFollows } from "./machine-policy.ts";
import { carrierMoment } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

/**
 * Who answered, as judged by the carrier (dedupeKey) or from the sound. Which policy follows is told by the
 * conversation that heard it; for the carrier's verdict the call decides it.
 */
type Verdict = {
  readonly answeredBy: AnsweredBy;
  readonly by: "carrier" | "sound";
  readonly greetingEnded: boolean;
  readonly policyApplied: VoicemailPolicy | null;
  readonly occurredAt: Instant;
  readonly now: Instant;
  /** Absent: a conversation reports it, not the carrier. */
  readonly carrierRef?: CarrierRef;
  readonly dedupeKey?: string;
};

/**
 * The record shows the last verdict. A verdict of the carrier proves an answer that it did not report. A
 * repeat changes nothing.
 */
export function recordMachineJudged(given: Verdict, state: ExistingCall): readonly CallEvent[] {
  const policy = given.by === "carrier" ? policyThatFollows(given, state) : given.policyApplied;
  const command = { ...given, policyApplied: policy };
  if (command.by === "carrier" && command.carrierRef !== undefined) {
    const fact = { ...command, carrierRef: command.carrierRef, sequence: null };
    if (!applies(fact, state)) return late(fact, state, "machine_judged");
  }
  if (!isLive(state) || isSame(command, state)) return [];
  const { answeredBy, by, greetingEnded, policyApplied, occurredAt, now, dedupeKey } = command;
  const answer = state.connectedAt === null ? impliedAnswer(state, command) : undefined;
  if (answer === null) return [];
  const at = carrierMoment(state, occurredAt, now);
  const answeredAt = state.connectedAt ?? answer?.data.at ?? at;
  const judged: CallEvent = {
    type: "CallMachineJudged",
    data: {
      callId: state.callId,
      at,
      answeredBy,
      by,
      afterMillis: Math.max(0, millisOf(at) - millisOf(answeredAt)),
      greetingEnded,
      policyApplied,
      ...(dedupeKey === undefined ? {} : { dedupeKey }),
    },
  };
  return answer === undefined ? [judged] : [answer, judged];
}

function isSame(command: Verdict, { machineVerdict }: CallState): boolean {
  return (
    machineVerdict !== null &&
    machineVerdict.answeredBy === command.answeredBy &&
    machineVerdict.by === command.by &&
    machineVerdict.greetingEnded === command.greetingEnded &&
    machineVerdict.policyApplied === command.policyApplied
  );
}
