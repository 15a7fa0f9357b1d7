import type { DeliveryId, OwnerId } from "../../../domain/shared/ids.ts";
import { UNKNOWN_AFTER_MILLIS } from "../../ports/delivery-store.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";

const RECOVER_EVERY_MILLIS = 5_000;
const MEASURE_EVERY_MILLIS = 15_000;
const RETIRE_EVERY_MILLIS = 600_000;
const RETIRE_BATCH = 1_000;

/**
 * Periodic work: attempts without an end are sent again, the oldest delivery is measured,
 * expired data is deleted.
 */
export class DeliveryUpkeep {
  readonly #deps: DeliveryLoopDeps;
  readonly #stop: AbortSignal;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #retiredAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DeliveryLoopDeps, stop: AbortSignal) {
    this.#deps = deps;
    this.#stop = stop;
  }

  /**
   * Attempts that the endpoint's former process left in flight are due at the first look; those that this one
   * lost, every few seconds.
   */
  async recover(
    fresh: readonly OwnerId[],
    held: Iterable<OwnerId>,
    underWay: () => readonly DeliveryId[],
    nowMillis: number,
  ): Promise<void> {
    const { clock, store, metrics, logger } = this.#deps;
    const monotonic = clock.monotonicMillis();
    const all = monotonic - this.#recoveredAt >= RECOVER_EVERY_MILLIS;
    const owners = all ? [...held] : fresh;
    if (owners.length === 0) return;
    if (all) this.#recoveredAt = monotonic;
    const count = await store.recoverUnknown(owners, nowMillis - UNKNOWN_AFTER_MILLIS, nowMillis, underWay());
    if (count === 0) return;
    metrics.count("ringfold_webhook_attempts_total", { class: "unknown" }, count);
    logger.warn({ count }, "webhook attempts of a process that died are sent again");
  }

  async measure(nowMillis: number): Promise<void> {
    const { clock, store, metrics } = this.#deps;
    const monotonic = clock.monotonicMillis();
    if (monotonic - this.#measuredAt < MEASURE_EVERY_MILLIS) return;
    this.#measuredAt = monotonic;
    const oldest = await store.oldestUndelivered();
    const age = oldest === null ? 0 : Math.max(0, nowMillis - oldest) / 1000;
    metrics.gauge("ringfold_webhook_oldest_undelivered_seconds", age, {});
  }

  async retire(nowMillis: number): Promise<void> {
    const { clock, store } = this.#deps;
    const monotonic = clock.monotonicMillis();
    if (monotonic - this.#retiredAt < RETIRE_EVERY_MILLIS) return;
    while (!this.#stop.aborted && (await store.retire(nowMillis, RETIRE_BATCH)) > 0);
    this.#retiredAt = monotonic;
  }
}
