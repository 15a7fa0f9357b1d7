import type { Carrier } from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { CarrierHealth } from "./carrier-health.ts";

/** A carrier that is away is asked so often whether it is back (docs/api.md §5). */
const PROBE_EVERY_MILLIS = 10_000;

export type CarrierProbeDeps = {
  readonly telephony: Carrier;
  readonly carrierHealth: CarrierHealth;
  readonly clock: Clock;
};

/** Finds out when an unavailable carrier answers again; waits for nothing while it is available. Ends when `stop` aborts. */
export async function runCarrierProbe(deps: CarrierProbeDeps, stop: AbortSignal): Promise<void> {
  const { carrierHealth, clock, telephony } = deps;
  const signal = createWakeSignal(clock, stop);
  const unsubscribe = carrierHealth.onChange(signal.wake);
  while (!stop.aborted) {
    if (!carrierHealth.unavailable()) await signal.wait(IDLE_MILLIS);
    if (!carrierHealth.unavailable()) continue;
    await clock.sleep(PROBE_EVERY_MILLIS, stop);
    if (!stop.aborted && (await answers(telephony, stop))) carrierHealth.sawAnswer();
  }
  unsubscribe();
}

/** false: it does not, or nobody waits for it any more. A carrier that is frozen takes as long to answer as its own limit is. */
async function answers(telephony: Carrier, stop: AbortSignal): Promise<boolean> {
  const { promise: stopped, resolve } = Promise.withResolvers<false>();
  const abort = () => resolve(false);
  stop.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([telephony.available(), stopped]);
  } finally {
    stop.removeEventListener("abort", abort);
  }
}

/** Nothing to ask: a change of the carrier's health wakes it. */
const IDLE_MILLIS = 60 * 60_000;
