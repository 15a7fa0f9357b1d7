import { type AttemptOutcome, isFailure } from "./attempt-outcome.ts";
import { type Breaker, breakerAfterFailure, CLOSED_BREAKER } from "./breaker.ts";
import { nextAttemptAt } from "./delivery-schedule.ts";

const HOUR = 3_600_000;

/** An endpoint without any success for this time, with a delivery that ran out of attempts, is disabled. */
const SILENCE_TO_DISABLE_MILLIS = 120 * HOUR;

/** Deliveries of an endpoint that is not in use are kept this long, then they are dead letters. */
export const HELD_MILLIS = 7 * 24 * HOUR;

/** What is stored of an endpoint between attempts. */
export type EndpointHealth = {
  readonly breaker: Breaker;
  /** Time of the last success, or of enabling if that was later. */
  readonly silentSinceMillis: number;
  /** A delivery has run out of attempts since then. */
  readonly exhausted: boolean;
};

/** Why an endpoint is disabled. */
export type Retirement = "gone" | "failing" | "misconfigured";

export type AttemptedDelivery = {
  /** A manual replay has one attempt. */
  readonly trigger: "auto" | "manual";
  /** Failed attempts so far. */
  readonly failures: number;
};

export type AttemptVerdict = {
  readonly status: "delivered" | "retrying" | "held" | "dead";
  readonly failures: number;
  readonly nextAttemptAtMillis: number | null;
  readonly health: EndpointHealth;
  readonly retire: Retirement | null;
};

/**
 * What follows from the end of an attempt (the table of docs/delivery.md). `random` (0 ≤ r < 1)
 * draws the jitter of the next wait. A forbidden address and a 410 use no attempt: the delivery is
 * held with the others.
 */
export function afterAttempt(
  delivery: AttemptedDelivery,
  health: EndpointHealth,
  outcome: AttemptOutcome,
  nowMillis: number,
  random: number,
): AttemptVerdict {
  const same = { failures: delivery.failures, nextAttemptAtMillis: null, health };
  if (outcome.class === "delivered") {
    const healthy = { breaker: CLOSED_BREAKER, silentSinceMillis: nowMillis, exhausted: false };
    return { ...same, status: "delivered", health: healthy, retire: null };
  }
  if (!isFailure(outcome.class)) {
    return { ...same, status: "held", retire: outcome.class === "gone" ? "gone" : "misconfigured" };
  }
  return afterFailure(delivery, health, outcome.retryAfterMillis, nowMillis, random);
}

function afterFailure(
  delivery: AttemptedDelivery,
  health: EndpointHealth,
  retryAfterMillis: number | null,
  nowMillis: number,
  random: number,
): AttemptVerdict {
  const failures = delivery.failures + 1;
  const next =
    delivery.trigger === "manual" ? null : nextAttemptAt(failures, nowMillis, retryAfterMillis, random);
  const exhausted = health.exhausted || (next === null && delivery.trigger === "auto");
  const worse = { ...health, breaker: breakerAfterFailure(health.breaker, nowMillis), exhausted };
  const retire =
    exhausted && nowMillis - health.silentSinceMillis >= SILENCE_TO_DISABLE_MILLIS ? "failing" : null;
  if (next === null) return { status: "dead", failures, nextAttemptAtMillis: null, health: worse, retire };
  const status = retire === null ? "retrying" : "held";
  return { status, failures, nextAttemptAtMillis: next, health: worse, retire };
}
