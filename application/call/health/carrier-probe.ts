import type { Carriers, RouteKey } from "../../ports/carriers.ts";
import type { Clock } from "../../ports/clock.ts";
import { unlessStopped } from "../../unless-stopped.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import type { CarrierHealth } from "./carrier-health.ts";

/** Interval of the probes of an unavailable carrier (docs/api.md §5). */
const PROBE_EVERY_MILLIS = 10_000;

export type CarrierProbeDeps = {
  readonly carriers: Pick<Carriers, "route">;
  readonly carrierHealth: CarrierHealth;
  readonly clock: Clock;
};

/**
 * Finds out when unavailable carriers answer again; idle while all are available. Ends when `stop` aborts.
 */
export async function runCarrierProbe(deps: CarrierProbeDeps, stop: AbortSignal): Promise<void> {
  const { carrierHealth, clock } = deps;
  const signal = createWakeSignal(clock, stop);
  const unsubscribe = carrierHealth.onChange(signal.wake);
  while (!stop.aborted) {
    if (carrierHealth.away().length === 0) {
      await signal.wait(IDLE_MILLIS);
      continue;
    }
    await clock.sleep(PROBE_EVERY_MILLIS, stop);
    // A carrier that hangs takes as long as its own timeout.
    if (!stop.aborted) await unlessStopped(askAll(deps), stop);
  }
  unsubscribe();
}

/** In parallel: a slow one delays the others by at most this round. */
async function askAll({ carriers, carrierHealth }: CarrierProbeDeps): Promise<void> {
  await Promise.all(
    carrierHealth.away().map(async (routeKey) => {
      if (await answers(carriers, routeKey)) carrierHealth.sawAnswer(routeKey.key);
    }),
  );
}

/**
 * A connection that was deleted is not an unavailable carrier: calls through it are refused
 * with their own reason.
 */
async function answers(carriers: CarrierProbeDeps["carriers"], routeKey: RouteKey): Promise<boolean> {
  try {
    const route = await carriers.route(routeKey.owner, routeKey.connectionId, null);
    return route === null || (await route.carrier.available());
  } catch {
    return false;
  }
}

/** Nothing to probe: a change of a carrier's health wakes the loop. */
const IDLE_MILLIS = 60 * 60_000;
