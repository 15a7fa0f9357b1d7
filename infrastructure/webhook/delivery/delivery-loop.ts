import type { OwnerId } from "../../../domain/shared/ids.ts";
import { breakerState } from "../../../domain/webhook/breaker.ts";
import { attemptRecorder } from "./attempt-recorder.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import { deliverySender } from "./delivery-sender.ts";
import type { Claim, ClaimedDelivery } from "./delivery-store.ts";
import { type EndpointRun, placeCounter } from "./endpoint-run.ts";
import { endpointWatch } from "./endpoint-watch.ts";
import { DEFAULT_PLACES } from "./places.ts";

export type DeliveryLoop = {
  start(): void;
  /** Something was queued for these owners. */
  wake(owners: readonly OwnerId[]): void;
  /** Settings or secrets of these owners changed; without it that is noticed within a second. */
  refresh(owners: readonly OwnerId[]): void;
  /** Starts nothing more, waits up to `drainMs` for what is under way; what is left is sent again as `unknown` by whoever comes next. Repeated: the same. */
  stop(drainMs?: number): Promise<void>;
};

/**
 * Starts recorded ahead of a free place, so that a good endpoint never waits for the disk between two attempts: what it answers within
 * AHEAD_MS, between these bounds.
 */
const LEAST_AHEAD = 8;
const MOST_AHEAD = 64;
const AHEAD_MS = 100;
const LARGEST_CLAIM = 512;
const UNRECORDED_LIMIT = 2_000;
const DRAIN_MS = 10_000;
const ERROR_PAUSE_MS = 1_000;

/**
 * Delivers what is due: claims starts in batches (each durable before a byte leaves), sends them within the places of
 * `places.ts`, records the ends in batches. One claim and one record are under way at a time, so that each takes along
 * whatever gathered meanwhile.
 */
export function deliveryLoop(deps: DeliveryLoopDeps): DeliveryLoop {
  const places = deps.places ?? DEFAULT_PLACES;
  const counter = placeCounter(places);
  const runs = new Map<OwnerId, EndpointRun>();
  const stopped = new AbortController();
  let claiming: Promise<void> | null = null;
  let claimAgain = false;

  const recorder = attemptRecorder({
    ...deps,
    onRecorded(attempts) {
      for (const attempt of attempts) {
        sender.forget(attempt.id);
        const run = runs.get(attempt.owner);
        if (run !== undefined) run.hot = true;
      }
      requestClaims();
    },
  });
  const sender = deliverySender(deps, counter, recorder, () => requestClaims());
  const watch = endpointWatch(deps, runs, sender, counter, stopped.signal, () => requestClaims());

  function requestClaims(): void {
    claimAgain = true;
    if (stopped.signal.aborted) return;
    claiming ??= claimAll().finally(() => {
      claiming = null;
      if (claimAgain && !stopped.signal.aborted) requestClaims();
    });
  }

  async function claimAll(): Promise<void> {
    while (claimAgain && !stopped.signal.aborted) {
      claimAgain = false;
      const wanted = collectClaims();
      if (wanted.length === 0) return;
      try {
        await claimBatch(wanted);
      } catch (error) {
        for (const { run, reserved } of wanted) for (let left = reserved; left > 0; left--) counter.free(run);
        deps.logger.warn({ err: error }, "webhook deliveries could not be claimed");
        await deps.clock.sleep(ERROR_PAUSE_MS, stopped.signal);
      }
    }
  }

  async function claimBatch(wanted: readonly WantedClaim[]): Promise<void> {
    const deliveries = await deps.store.claim(
      wanted.map(({ claim }) => claim),
      deps.clock.nowMillis(),
    );
    const byOwner = Map.groupBy(deliveries, (delivery) => delivery.owner);
    for (const { run, reserved, claim } of wanted) {
      const got = byOwner.get(run.owner) ?? [];
      if (got.length === claim.limit) claimAgain = true;
      else run.hot = false;
      if (got.length > 0) run.busyAt = deps.clock.monotonicMillis();
      begin(run, got, reserved);
    }
  }

  /** The first ones go out on the reserved places, the rest waits in memory; places that were reserved in vain are given back. */
  function begin(run: EndpointRun, deliveries: readonly ClaimedDelivery[], reserved: number): void {
    for (const delivery of deliveries.slice(0, reserved)) sender.send(run, delivery);
    for (let unused = reserved - deliveries.length; unused > 0; unused--) counter.free(run);
    sender.enqueue(run, deliveries.slice(reserved));
  }

  type WantedClaim = { readonly run: EndpointRun; readonly reserved: number; readonly claim: Claim };

  /** In the order in which the endpoints were served last, so that each has its turn. */
  function collectClaims(): WantedClaim[] {
    if (recorder.waiting() > UNRECORDED_LIMIT) return [];
    const wanted: WantedClaim[] = [];
    let room = LARGEST_CLAIM;
    for (const run of [...runs.values()]) {
      if (room <= 0) break;
      if (!run.hot || !watch.mayClaim(run)) continue;
      const reserved = reserve(run, room);
      const limit = reserved + aheadOf(run, reserved);
      if (limit === 0) continue;
      room -= limit;
      wanted.push({ run, reserved, claim: { owner: run.owner, version: run.endpoint.version, limit } });
      runs.delete(run.owner);
      runs.set(run.owner, run);
    }
    return wanted;
  }

  function reserve(run: EndpointRun, room: number): number {
    const probing = breakerState(run.health.breaker, deps.clock.nowMillis()) === "probe";
    const most = probing ? Math.max(0, 1 - run.placed) : Math.max(0, room - run.queue.length);
    let reserved = 0;
    while (reserved < most && run.queue.length === 0 && counter.take(run)) reserved += 1;
    return reserved;
  }

  function aheadOf(run: EndpointRun, reserved: number): number {
    const saturated = run.standing === "good" && run.placed > 0 && reserved < places.perEndpoint;
    const ahead = aheadFor(run);
    // Claimed when half of it is used up: a few large claims cost less than many small ones.
    return saturated && run.queue.length <= ahead / 2 ? ahead - run.queue.length : 0;
  }

  function aheadFor(run: EndpointRun): number {
    const answered = Math.ceil((places.perEndpoint * AHEAD_MS) / Math.max(1, run.attemptMs));
    return Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, answered));
  }

  async function recordTheRest(withinMs: number): Promise<void> {
    const done = new AbortController();
    const giveUp = new AbortController();
    void deps.clock.sleep(withinMs, done.signal).then(() => giveUp.abort());
    await recorder.drained(giveUp.signal);
    done.abort();
  }

  async function stopOnce(drainMs: number): Promise<void> {
    const until = deps.clock.monotonicMillis() + drainMs;
    stopped.abort();
    await claiming;
    await watch.stopped();
    await sender.drain([...runs.values()], drainMs);
    await recordTheRest(Math.max(0, until - deps.clock.monotonicMillis()));
    await deps.store.release(deps.worker, [...runs.keys()]).catch((error: unknown) => {
      deps.logger.warn({ err: error }, "webhook leases were left to run out");
    });
  }
  let stopping: Promise<void> | null = null;

  return {
    start: () => watch.start(),
    wake: (owners) => watch.wake(owners),
    refresh: (owners) => watch.refresh(owners),
    stop(drainMs = DRAIN_MS) {
      stopping ??= stopOnce(drainMs);
      return stopping;
    },
  };
}
