import type { OwnerId } from "../../../domain/shared/ids.ts";
import { breakerState } from "../../../domain/webhook/breaker.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import { type LeasedEndpoint, UNKNOWN_AFTER_MS } from "./delivery-store.ts";
import { type EndpointRun, newRun, type PlaceCounter, standingOf } from "./endpoint-run.ts";

export type EndpointWatch = {
  start(): void;
  wake(owners: readonly OwnerId[]): void;
  refresh(owners: readonly OwnerId[]): void;
  /** The lease holds, the endpoint is in use, and its breaker lets something through. */
  mayClaim(run: EndpointRun): boolean;
  /** Resolves when nothing of it runs any more. */
  stopped(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const CHECK_EVERY_MS = 250;
const LEASE_MS = 8_000;
/** A lease that could not be renewed for so long is not relied on any more. */
const LEASE_TRUSTED_MS = 6_000;
const IDLE_MS = 10_000;
const RECOVER_EVERY_MS = 5_000;
const MEASURE_EVERY_MS = 15_000;
const RETIRE_EVERY_MS = 600_000;
const RETIRE_BATCH = 1_000;
const NEW_OWNERS_AT_ONCE = 256;

/** Finds the endpoints that have something due, holds their leases, and keeps what time does to them. */
export function endpointWatch(
  deps: DeliveryLoopDeps,
  runs: Map<OwnerId, EndpointRun>,
  sender: DeliverySender,
  counter: PlaceCounter,
  stop: AbortSignal,
  onHot: () => void,
): EndpointWatch {
  const { clock, store, worker } = deps;
  const woken = new Set<OwnerId>();
  let alarm = new AbortController();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let retiredAt = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();
  stop.addEventListener("abort", () => alarm.abort());

  /** Once a second everything; in between only the owners that somebody woke. */
  async function look(): Promise<void> {
    const nowMs = clock.nowMillis();
    const full = clock.monotonicMillis() - lookedAt >= LOOK_EVERY_MS;
    const due = new Set(woken);
    woken.clear();
    if (full) {
      lookedAt = clock.monotonicMillis();
      for (const owner of await store.dueOwners(worker, nowMs, runs.size + NEW_OWNERS_AT_ONCE))
        due.add(owner);
    }
    const fresh = await lease([...new Set(full ? [...runs.keys(), ...due] : due)]);
    await recover(fresh, nowMs);
    const idle = [...due].filter((owner) => runs.get(owner)?.inUse === false);
    if (idle.length > 0) await store.hold(idle, nowMs);
    for (const owner of due) {
      const run = runs.get(owner);
      if (run !== undefined) run.hot = true;
    }
    onHot();
    if (!full) return;
    await releaseIdle(due);
    await keepTime(nowMs);
  }

  /** Answers the owners that are new here. One that was held here and is another worker's now is given up. */
  async function lease(owners: readonly OwnerId[]): Promise<OwnerId[]> {
    if (owners.length === 0) return [];
    const askedAt = clock.monotonicMillis();
    const leased = new Map(
      (await store.lease(worker, owners, LEASE_MS)).map((endpoint) => [endpoint.owner, endpoint]),
    );
    for (const owner of owners) {
      const lost = leased.has(owner) ? undefined : runs.get(owner);
      if (lost === undefined) continue;
      runs.delete(owner);
      sender.takeBack(lost);
    }
    return [...leased.values()]
      .filter((endpoint) => adopt(endpoint, askedAt))
      .map((endpoint) => endpoint.owner);
  }

  /** True when the endpoint is new here. Of a known one only changed settings count: its health is known better here. */
  function adopt(endpoint: LeasedEndpoint, askedAt: number): boolean {
    const run = runs.get(endpoint.owner);
    if (run === undefined) {
      runs.set(endpoint.owner, newRun(endpoint, askedAt));
      return true;
    }
    run.leasedAt = askedAt;
    if (run.endpoint.version === endpoint.version) return false;
    run.endpoint = endpoint;
    run.health = endpoint.health;
    run.inUse = endpoint.inUse;
    run.hot = true;
    counter.move(run, standingOf(endpoint));
    return false;
  }

  /** What an endpoint's deliverer before left under way is due at the first look; what this one lost, every few seconds. */
  async function recover(fresh: readonly OwnerId[], nowMs: number): Promise<void> {
    const monotonic = clock.monotonicMillis();
    const all = monotonic - recoveredAt >= RECOVER_EVERY_MS;
    const owners = all ? [...runs.keys()] : fresh;
    if (owners.length === 0) return;
    if (all) recoveredAt = monotonic;
    const count = await store.recoverUnknown(owners, nowMs - UNKNOWN_AFTER_MS, nowMs, sender.underWay());
    if (count === 0) return;
    deps.metrics.count("ringfold_webhook_attempts_total", { class: "unknown" }, count);
    deps.logger.warn({ count }, "webhook attempts of a process that died are sent again");
  }

  async function releaseIdle(due: ReadonlySet<OwnerId>): Promise<void> {
    const now = clock.monotonicMillis();
    const idle = [...runs.values()].filter(
      (run) =>
        run.placed === 0 && run.queue.length === 0 && !due.has(run.owner) && now - run.busyAt > IDLE_MS,
    );
    if (idle.length === 0) return;
    for (const run of idle) runs.delete(run.owner);
    await store.release(
      worker,
      idle.map((run) => run.owner),
    );
  }

  async function keepTime(nowMs: number): Promise<void> {
    const monotonic = clock.monotonicMillis();
    if (monotonic - measuredAt >= MEASURE_EVERY_MS) {
      measuredAt = monotonic;
      const oldest = await store.oldestUndelivered();
      const age = oldest === null ? 0 : Math.max(0, nowMs - oldest) / 1000;
      deps.metrics.gauge("ringfold_webhook_oldest_undelivered_seconds", age, {});
    }
    if (monotonic - retiredAt < RETIRE_EVERY_MS) return;
    while (!stop.aborted && (await store.retire(nowMs, RETIRE_BATCH)) > 0);
    retiredAt = monotonic;
  }

  async function lookRepeatedly(): Promise<void> {
    while (!stop.aborted) {
      alarm = new AbortController();
      try {
        await look();
      } catch (error) {
        deps.logger.warn({ err: error }, "the webhook outbox could not be read");
        await clock.sleep(LOOK_EVERY_MS, stop);
      }
      if (woken.size === 0 && !stop.aborted) await clock.sleep(LOOK_EVERY_MS, alarm.signal);
    }
  }

  async function checkRepeatedly(): Promise<void> {
    while (!stop.aborted) {
      await clock.sleep(CHECK_EVERY_MS, stop);
      sender.check(runs.values());
    }
  }

  return {
    start() {
      running = Promise.all([lookRepeatedly(), checkRepeatedly()]);
    },
    wake(owners) {
      for (const owner of owners) {
        const run = runs.get(owner);
        if (run === undefined) woken.add(owner);
        else run.hot = true;
      }
      if (woken.size > 0) alarm.abort();
      onHot();
    },
    refresh(owners) {
      for (const owner of owners) woken.add(owner);
      alarm.abort();
    },
    mayClaim(run) {
      const leased = clock.monotonicMillis() - run.leasedAt < LEASE_TRUSTED_MS;
      return leased && run.inUse && breakerState(run.health.breaker, clock.nowMillis()) !== "open";
    },
    async stopped() {
      await running;
    },
  };
}
