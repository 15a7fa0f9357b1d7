import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { LeasedEndpoint } from "../../ports/delivery-store.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import { type EndpointRun, newRun, type PlaceCounter, standingOf } from "./endpoint-run.ts";

const LEASE_MILLIS = 8_000;
/** A lease that could not be renewed for this long is no longer trusted. */
const LEASE_TRUSTED_MILLIS = 6_000;
const IDLE_MILLIS = 10_000;

/** Takes, renews and returns the leases of endpoints; `runs` has those of this process. */
export class EndpointLeases {
  readonly #deps: Pick<DeliveryLoopDeps, "clock" | "store" | "worker">;
  readonly #runs: Map<OwnerId, EndpointRun>;
  readonly #counter: PlaceCounter;
  readonly #onLost: (run: EndpointRun) => void;

  constructor(
    deps: Pick<DeliveryLoopDeps, "clock" | "store" | "worker">,
    runs: Map<OwnerId, EndpointRun>,
    counter: PlaceCounter,
    onLost: (run: EndpointRun) => void,
  ) {
    this.#deps = deps;
    this.#runs = runs;
    this.#counter = counter;
    this.#onLost = onLost;
  }

  isTrusted(run: EndpointRun): boolean {
    return this.#deps.clock.monotonicMillis() - run.leasedAt < LEASE_TRUSTED_MILLIS;
  }

  /**
   * Returns the owners that are new here. One that was held here and now belongs to
   * another worker is dropped.
   */
  async take(owners: readonly OwnerId[]): Promise<OwnerId[]> {
    if (owners.length === 0) return [];
    const { clock, store, worker } = this.#deps;
    const askedAt = clock.monotonicMillis();
    const leased = await store.lease(worker, owners, LEASE_MILLIS);
    this.#giveUpOthers(owners, new Set(leased.map(({ owner }) => owner)));
    return leased.filter((endpoint) => this.#adopt(endpoint, askedAt)).map(({ owner }) => owner);
  }

  #giveUpOthers(asked: readonly OwnerId[], leased: ReadonlySet<OwnerId>): void {
    for (const owner of asked) {
      const lost = leased.has(owner) ? undefined : this.#runs.get(owner);
      if (lost === undefined) continue;
      this.#runs.delete(owner);
      this.#onLost(lost);
    }
  }

  /**
   * True when the endpoint is new here. For a known one only changed settings matter: this process
   * knows its health better.
   */
  #adopt(endpoint: LeasedEndpoint, askedAt: number): boolean {
    const run = this.#runs.get(endpoint.owner);
    if (run === undefined) {
      this.#runs.set(endpoint.owner, newRun(endpoint, askedAt));
      return true;
    }
    run.leasedAt = askedAt;
    if (run.endpoint.version === endpoint.version) return false;
    run.endpoint = endpoint;
    run.health = endpoint.health;
    run.inUse = endpoint.inUse;
    run.hot = true;
    this.#counter.move(run, standingOf(endpoint));
    return false;
  }

  async releaseIdle(due: ReadonlySet<OwnerId>): Promise<void> {
    const { clock, store, worker } = this.#deps;
    const now = clock.monotonicMillis();
    const isIdle = (run: EndpointRun) => run.placed === 0 && run.queue.length === 0 && !due.has(run.owner);
    const idle = [...this.#runs.values()]
      .filter((run) => isIdle(run) && now - run.busyAt > IDLE_MILLIS)
      .map(({ owner }) => owner);
    if (idle.length === 0) return;
    for (const owner of idle) this.#runs.delete(owner);
    await store.release(worker, idle);
  }
}
