import type { CarrierEvent, PlaceCall } from "../../application/ports/carrier.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, EndedBy } from "../../domain/call/events.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { Outcome } from "../callee/outcome.ts";
import { between, type SeededRandom } from "../callee/seeded-random.ts";
import { recordingRefOf } from "./tapes.ts";

type BodyOf<E> = E extends CarrierEvent
  ? Omit<E, "dedupeKey" | "callId" | "carrierRef" | "sequence" | "occurredAt">
  : never;
export type StepBody = BodyOf<CarrierEvent>;
/** An event that is due at `atMillis` (epoch). The n-th step of a call has sequence n, from 1. */
export type Step = { readonly atMillis: number; readonly body: StepBody };

type Line = {
  at: number;
  answer: { readonly at: number; readonly by: AnsweredBy } | null;
  readonly steps: Step[];
  readonly recordingRef: string | null;
  readonly speed: number;
};

/**
 * The events of an accepted call: all of them, or those up to the answer if there is a conversation (whose
 * end is then the end of the call). Ring times are divided by `speed`.
 */
export function timelineOf(
  call: PlaceCall,
  outcome: Outcome,
  placedAt: number,
  speed: number,
  random: SeededRandom,
): Step[] {
  const recordingRef = recordingRefOf(call);
  const line: Line = { at: placedAt, answer: null, steps: [], recordingRef, speed };
  say(line, between(random, 200, 800), { type: "ringing" });
  play(line, call, outcome, random);
  return line.steps;
}

function play(line: Line, call: PlaceCall, outcome: Outcome, random: SeededRandom): Line {
  const ringing = between(random, 2_000, 9_000);
  switch (outcome) {
    case "busy":
    case "declined":
    case "unreachable":
    case "carrier_error":
      return end(line, between(random, 500, 5_000), outcome, outcome === "declined" ? "customer" : "system");
    case "no_answer":
      return end(
        line,
        Math.min(between(random, 18_000, 30_000), call.ringTimeoutSeconds * 1_000 * line.speed),
        "no_answer",
        "system",
      );
    case "rings_for_ever":
    case "invalid_number":
      return line;
    case "machine":
      return answer(line, ringing, "machine");
    case "line_drops":
      answer(line, ringing, "human");
      return end(line, between(random, 1_000, 5_000), "connection_lost", null);
    case "hangs_up":
      answer(line, ringing, "human");
      return end(line, 0, "customer_ended", "customer");
    case "never_hangs_up":
    case "talks":
    case "scrambled":
    case "opts_out_by_word":
    case "asks_for_a_call":
    case "opts_out_by_key":
    case "agrees":
      return answer(line, ringing, "human");
  }
}

function answer(line: Line, afterMillis: number, by: AnsweredBy): Line {
  say(line, afterMillis, { type: "answered", answeredBy: by });
  line.answer = { at: line.at, by };
  return line;
}

function say(line: Line, afterMillis: number, body: StepBody): Line {
  line.at += afterMillis / line.speed;
  line.steps.push({ atMillis: Math.round(line.at), body });
  return line;
}

function end(line: Line, afterMillis: number, endReason: EndReason, endedBy: EndedBy | null): Line {
  line.at += afterMillis / line.speed;
  const at = Math.round(line.at);
  line.steps.push(
    ...endingSteps({
      at,
      endReason,
      endedBy,
      answer: line.answer,
      recordingRef: line.recordingRef,
      speed: line.speed,
    }),
  );
  return line;
}

type Ending = {
  readonly at: number;
  readonly endReason: EndReason;
  readonly endedBy: EndedBy | null;
  readonly answer: { readonly at: number; readonly by: AnsweredBy } | null;
  readonly recordingRef: string | null;
  readonly speed: number;
};

/** The end, and a second later (simulator time) the recording of a call that was answered and recorded. */
function endingSteps({ at, endReason, endedBy, answer: answered, recordingRef, speed }: Ending): Step[] {
  const ended: StepBody = {
    type: "ended",
    endReason,
    endedBy,
    answeredAt: answered === null ? null : instantFromMillis(Math.round(answered.at)),
    answeredBy: answered?.by ?? null,
    recordingExpected: answered !== null && recordingRef !== null,
    carrierCode: endReason === "carrier_error" ? "SIM-503" : null,
  };
  if (answered === null || recordingRef === null) return [{ atMillis: at, body: ended }];
  const recording: StepBody = { type: "recording", status: "available", recordingRef };
  return [
    { atMillis: at, body: ended },
    { atMillis: Math.round(at + 1_000 / speed), body: recording },
  ];
}

/** An end from outside of the timeline. */
export type GivenEnd = {
  readonly atMillis: number;
  /**
   * we: the service hung up; callee: the person who answered; assistant: we had said our last
   * words and nobody hung up; transfer: the line went to another number.
   */
  readonly by: "we" | "callee" | "assistant" | "transfer";
};

/** The same timeline with that end; delivered events stay. Unchanged when it had ended by then. */
export function endedAt(
  steps: readonly Step[],
  { atMillis, by }: GivenEnd,
  call: PlaceCall,
  speed: number,
): Step[] {
  const before = steps.filter((step) => step.atMillis <= atMillis);
  if (before.some((step) => step.body.type === "ended")) return [...steps];
  const answeredStep = before.find((step) => step.body.type === "answered");
  const answered =
    answeredStep?.body.type === "answered"
      ? { at: answeredStep.atMillis, by: answeredStep.body.answeredBy }
      : null;
  return [
    ...before,
    ...endingSteps({
      at: atMillis,
      ...reasonOf(by, answered !== null),
      answer: answered,
      recordingRef: recordingRefOf(call),
      speed,
    }),
  ];
}

function reasonOf(
  by: GivenEnd["by"],
  answered: boolean,
): { readonly endReason: EndReason; readonly endedBy: EndedBy } {
  if (by === "callee") return { endReason: "customer_ended", endedBy: "customer" };
  if (by === "transfer") return { endReason: "transferred", endedBy: "assistant" };
  if (by === "assistant") return { endReason: "assistant_ended", endedBy: "assistant" };
  return { endReason: answered ? "api_ended" : "canceled", endedBy: "api" };
}
