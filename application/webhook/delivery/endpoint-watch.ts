import type { OwnerId } from "../../../domain/shared/ids.ts";
import { breakerState } from "../../../domain/webhook/breaker.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import { DeliveryUpkeep } from "./delivery-upkeep.ts";
import { EndpointLeases } from "./endpoint-leases.ts";
import type { EndpointRun, PlaceCounter } from "./endpoint-run.ts";

const LOOK_EVERY_MILLIS = 1_000;
const CHECK_EVERY_MILLIS = 250;
const NEW_OWNERS_AT_ONCE = 256;

export type EndpointWatchDeps = DeliveryLoopDeps & {
  readonly runs: Map<OwnerId, EndpointRun>;
  readonly sender: DeliverySender;
  readonly counter: PlaceCounter;
  readonly signal: AbortSignal;
  readonly onHot: () => void;
};

/** Finds endpoints with due deliveries, holds their leases, and does the periodic work for them. */
export class EndpointWatch {
  readonly #deps: EndpointWatchDeps;
  readonly #leases: EndpointLeases;
  readonly #upkeep: DeliveryUpkeep;
  readonly #woken = new Set<OwnerId>();
  #alarm = new AbortController();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: EndpointWatchDeps) {
    this.#deps = deps;
    const { runs, counter, sender, signal } = deps;
    this.#leases = new EndpointLeases(deps, runs, counter, (run) => sender.takeBack(run));
    this.#upkeep = new DeliveryUpkeep(deps, signal);
    signal.addEventListener("abort", () => this.#alarm.abort());
  }

  start(): void {
    this.#running = Promise.all([this.#lookRepeatedly(), this.#checkRepeatedly()]);
  }

  wake(owners: readonly OwnerId[]): void {
    for (const owner of owners) {
      const run = this.#deps.runs.get(owner);
      if (run === undefined) this.#woken.add(owner);
      else run.hot = true;
    }
    if (this.#woken.size > 0) this.#alarm.abort();
    this.#deps.onHot();
  }

  refresh(owners: readonly OwnerId[]): void {
    for (const owner of owners) this.#woken.add(owner);
    this.#alarm.abort();
  }

  /** The lease is held, the endpoint is in use, and its breaker allows an attempt. */
  mayClaim(run: EndpointRun): boolean {
    if (!this.#leases.isTrusted(run) || !run.inUse) return false;
    return breakerState(run.health.breaker, this.#deps.clock.nowMillis()) !== "open";
  }

  /** Resolves when nothing of it runs any more. */
  async stopped(): Promise<void> {
    await this.#running;
  }

  async #lookRepeatedly(): Promise<void> {
    const { clock, logger, signal } = this.#deps;
    while (!signal.aborted) {
      this.#alarm = new AbortController();
      try {
        await this.#look();
      } catch (error) {
        logger.warn({ err: error }, "the webhook outbox could not be read");
        await clock.sleep(LOOK_EVERY_MILLIS, signal);
      }
      // Whoever is woken, or stops, meanwhile has ended the alarm.
      await clock.sleep(LOOK_EVERY_MILLIS, this.#alarm.signal);
    }
  }

  async #checkRepeatedly(): Promise<void> {
    const { clock, sender, runs, signal } = this.#deps;
    while (!signal.aborted) {
      await clock.sleep(CHECK_EVERY_MILLIS, signal);
      sender.check(runs.values());
    }
  }

  /** Everything once a second; in between only the owners that were woken. */
  async #look(): Promise<void> {
    const { clock, runs, sender, onHot } = this.#deps;
    const nowMillis = clock.nowMillis();
    const full = clock.monotonicMillis() - this.#lookedAt >= LOOK_EVERY_MILLIS;
    const due = new Set(this.#woken);
    this.#woken.clear();
    if (full) await this.#addDue(due, nowMillis);
    const fresh = await this.#leases.take([...new Set(full ? [...runs.keys(), ...due] : due)]);
    await this.#upkeep.recover(fresh, runs.keys(), () => sender.underWay(), nowMillis);
    await this.#holdUnused(due, nowMillis);
    for (const owner of due) {
      const run = runs.get(owner);
      if (run !== undefined) run.hot = true;
    }
    onHot();
    if (!full) return;
    await this.#leases.releaseIdle(due);
    await this.#upkeep.measure(nowMillis);
    await this.#upkeep.retire(nowMillis);
  }

  async #addDue(due: Set<OwnerId>, nowMillis: number): Promise<void> {
    const { clock, store, worker, runs } = this.#deps;
    this.#lookedAt = clock.monotonicMillis();
    for (const owner of await store.dueOwners(worker, nowMillis, runs.size + NEW_OWNERS_AT_ONCE))
      due.add(owner);
  }

  /** Deliveries of an endpoint that went out of use wait until it is used again. */
  async #holdUnused(due: ReadonlySet<OwnerId>, nowMillis: number): Promise<void> {
    const { store, runs } = this.#deps;
    const unused = [...due].filter((owner) => runs.get(owner)?.inUse === false);
    if (unused.length > 0) await store.hold(unused, nowMillis);
  }
}
