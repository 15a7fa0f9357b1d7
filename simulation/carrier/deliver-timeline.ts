import type { CarrierEvent } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import { type Pauses, retryUntilDone } from "../../application/repeating.ts";
import { createSleepCut, type SleepCut } from "../../application/wake-signal.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { Outcome } from "../callee/outcome.ts";
import type { Step } from "./timeline.ts";

const GIVE_UP_AFTER_MILLIS = 10 * 60_000;
const PAUSES: Pauses = { first: 200, longest: 5_000 };

/**
 * Delivers events to the service that placed the calls; rejects when they were not accepted,
 * and is then repeated.
 */
export type EventDelivery = (events: readonly CarrierEvent[]) => Promise<void>;

type TimelineDelivery = {
  readonly clock: Clock;
  readonly deliver: EventDelivery;
  readonly callId: CallId;
  /** `steps` may be replaced meanwhile (a hang-up); then `changed` aborts, as it does with `signal`. */
  readonly call: {
    readonly carrierRef: string;
    readonly outcome: Outcome;
    readonly steps: readonly Step[];
    changed: SleepCut;
  };
  readonly signal: AbortSignal;
  /** The answer was accepted: the conversation may begin. */
  readonly onAnswered: () => void;
  /** Called before the end is delivered. */
  readonly onEnded: (endReason: EndReason) => void;
};

/**
 * Delivers every step of a call when it is due, those due together in one message; each until it is accepted,
 * at most 10 minutes. True when all are delivered (or given up), false when `signal` ended it.
 */
export async function deliverTimeline(delivery: TimelineDelivery): Promise<boolean> {
  const { clock, call, signal } = delivery;
  const under: Promise<boolean>[] = [];
  const waiting: CarrierEvent[] = [];
  let next = 0;
  while (!signal.aborted) {
    const step = call.steps[next];
    if (step === undefined && call.steps.some(({ body }) => body.type === "ended")) break;
    const waitMillis = step === undefined ? 60_000 : step.atMillis - clock.nowMillis();
    if (waitMillis > 0) {
      await clock.sleep(waitMillis, call.changed);
      if (call.changed.aborted) call.changed = createSleepCut();
      continue;
    }
    const due = dueSteps(call.steps, next, clock.nowMillis());
    const events = due.map((each, index) => eventOf(delivery, each, next + index + 1));
    next += due.length;
    for (const { body } of due) if (body.type === "ended") delivery.onEnded(body.endReason);
    waiting.push(...events);
    // Out of order: each waits for the next one.
    if (call.outcome !== "scrambled" || waiting.length > 1)
      under.push(...deliverTogether(delivery, waiting.splice(0)));
  }
  under.push(...deliverTogether(delivery, waiting));
  return (await Promise.all(under)).every((taken) => taken) && !signal.aborted;
}

function deliverTogether(delivery: TimelineDelivery, events: readonly CarrierEvent[]): Promise<boolean>[] {
  if (events.length === 0) return [];
  if (delivery.call.outcome !== "scrambled") return [deliverUntilTaken(delivery, events)];
  return scrambled(events).map((event) => deliverUntilTaken(delivery, [event]));
}

function dueSteps(steps: readonly Step[], from: number, now: number): Step[] {
  const due: Step[] = [];
  for (const step of steps.slice(from)) {
    if (step.atMillis > now) break;
    due.push(step);
  }
  return due;
}

/** In reverse order, and everything twice. */
function scrambled(events: readonly CarrierEvent[]): CarrierEvent[] {
  const reversed = [...events].reverse();
  return [...reversed, ...reversed];
}

function eventOf({ callId, call }: TimelineDelivery, step: Step, sequence: number): CarrierEvent {
  return {
    dedupeKey: `${call.carrierRef}:${sequence}`,
    callId,
    carrierRef: call.carrierRef,
    sequence,
    occurredAt: instantFromMillis(step.atMillis),
    ...step.body,
  };
}

async function deliverUntilTaken(
  { clock, deliver, signal, onAnswered }: TimelineDelivery,
  events: readonly CarrierEvent[],
): Promise<boolean> {
  const since = clock.monotonicMillis();
  const givenUp = () => clock.monotonicMillis() - since > GIVE_UP_AFTER_MILLIS;
  const onFailure = (error: unknown) => {
    if (givenUp()) throw error;
  };
  try {
    const taken = await retryUntilDone({ clock, pauses: PAUSES, signal, onFailure }, async () => {
      await deliver(events);
      return true;
    });
    if (taken === true && events.some(({ type }) => type === "answered")) onAnswered();
    return taken === true;
  } catch {
    return true;
  }
}
