import type { Of } from "../shared/decider.ts";
import { millisOf } from "../shared/instant.ts";
import { applies, impliedAnswer, late } from "./carrier-rules.ts";
import type { CallCommand } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import type { CallEvent } from "./events.ts";
import { policyThatFollows } from "./machine-policy.ts";
import { carrierMoment } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

type RecordMachineJudged = Of<CallCommand, "RecordMachineJudged">;

/**
 * The record shows the last verdict. A verdict of the carrier proves an answer that it did not report. A
 * repeat changes nothing.
 */
export function recordMachineJudged(given: RecordMachineJudged, state: ExistingCall): readonly CallEvent[] {
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

function isSame(command: RecordMachineJudged, { machineVerdict }: CallState): boolean {
  return (
    machineVerdict !== null &&
    machineVerdict.answeredBy === command.answeredBy &&
    machineVerdict.by === command.by &&
    machineVerdict.greetingEnded === command.greetingEnded &&
    machineVerdict.policyApplied === command.policyApplied
  );
}
