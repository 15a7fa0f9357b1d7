import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { AttemptRecord } from "../../ports/delivery-store.ts";
import { type AttemptRecorder, attemptRecorder } from "./attempt-recorder.ts";
import { Claiming } from "./claiming.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import { DeliverySender } from "./delivery-sender.ts";
import { type EndpointRun, placeCounter } from "./endpoint-run.ts";
import { EndpointWatch } from "./endpoint-watch.ts";
import { DEFAULT_PLACES } from "./places.ts";

const UNRECORDED_LIMIT = 2_000;
const DRAIN_MILLIS = 10_000;

/** The delivery loop of this process; nothing runs before `start`. */
export function deliveryLoop(deps: DeliveryLoopDeps): DeliveryLoop {
  return new DeliveryLoop(deps);
}

/**
 * Delivers what is due: claims starts in batches (each durable before a byte is sent), sends them within the
 * places of `places.ts`, records the ends in batches. One claim and one record are in flight at a time.
 */
export class DeliveryLoop {
  readonly #deps: DeliveryLoopDeps;
  readonly #runs = new Map<OwnerId, EndpointRun>();
  readonly #stopped = new AbortController();
  readonly #recorder: AttemptRecorder;
  readonly #sender: DeliverySender;
  readonly #watch: EndpointWatch;
  readonly #claiming: Claiming;
  #stopping: Promise<void> | null = null;

  constructor(deps: DeliveryLoopDeps) {
    this.#deps = deps;
    const places = deps.places ?? DEFAULT_PLACES;
    const shared = {
      ...deps,
      places,
      runs: this.#runs,
      counter: placeCounter(places),
      signal: this.#stopped.signal,
    };
    const requestClaims = () => this.#claiming.request();
    this.#recorder = attemptRecorder({ ...deps, onRecorded: (attempts) => this.#recorded(attempts) });
    const sender = new DeliverySender({ ...shared, recorder: this.#recorder, onPlaceFree: requestClaims });
    const watch = new EndpointWatch({ ...shared, sender, onHot: requestClaims });
    this.#claiming = new Claiming({
      ...shared,
      sender,
      mayClaim: (run) => watch.mayClaim(run),
      isBehind: () => this.#recorder.waiting() > UNRECORDED_LIMIT,
    });
    this.#sender = sender;
    this.#watch = watch;
  }

  start(): void {
    this.#watch.start();
  }

  /** Something was queued for these owners. */
  wake(owners: readonly OwnerId[]): void {
    this.#watch.wake(owners);
  }

  /** Settings or secrets of these owners changed; without this call it is noticed within a second. */
  refresh(owners: readonly OwnerId[]): void {
    this.#watch.refresh(owners);
  }

  /**
   * Starts nothing more, and waits up to `drainMillis` for attempts in flight; the rest is sent again as
   * `unknown` by the next process. A repeat changes nothing.
   */
  stop(drainMillis = DRAIN_MILLIS): Promise<void> {
    this.#stopping ??= this.#stopOnce(drainMillis);
    return this.#stopping;
  }

  #recorded(attempts: readonly AttemptRecord[]): void {
    for (const { id, owner } of attempts) {
      this.#sender.forget(id);
      const run = this.#runs.get(owner);
      if (run !== undefined) run.hot = true;
    }
    this.#claiming.request();
  }

  async #stopOnce(drainMillis: number): Promise<void> {
    const { clock, store, worker, logger } = this.#deps;
    const until = clock.monotonicMillis() + drainMillis;
    this.#stopped.abort();
    await this.#claiming.ended();
    await this.#watch.stopped();
    await this.#sender.drain([...this.#runs.values()], drainMillis);
    await this.#recordTheRest(Math.max(0, until - clock.monotonicMillis()));
    await store.release(worker, [...this.#runs.keys()]).catch((error: unknown) => {
      logger.warn({ err: error }, "webhook leases were left to run out");
    });
  }

  async #recordTheRest(withinMillis: number): Promise<void> {
    const done = new AbortController();
    const giveUp = new AbortController();
    void this.#deps.clock.sleep(withinMillis, done.signal).then(() => giveUp.abort());
    await this.#recorder.drained(giveUp.signal);
    done.abort();
  }
}
