import type { ClaimedDelivery } from "../../ports/delivery-store.ts";
import { type ClaimDeps, collectClaims, unreserve, type WantedClaim } from "./collect-claims.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import type { EndpointRun } from "./endpoint-run.ts";

const ERROR_PAUSE_MILLIS = 1_000;

export type ClaimingDeps = Pick<DeliveryLoopDeps, "logger"> &
  ClaimDeps & {
    readonly store: Pick<DeliveryLoopDeps["store"], "claim">;
    readonly sender: Pick<DeliverySender, "send" | "enqueue">;
    readonly signal: AbortSignal;
    /** Too many ends wait to be recorded: nothing new begins until they are. */
    readonly isBehind: () => boolean;
  };

/**
 * Records the starts of due deliveries, one claim at a time, so that each takes everything
 * that gathered meanwhile.
 */
export class Claiming {
  readonly #deps: ClaimingDeps;
  #underWay: Promise<void> | null = null;
  #again = false;

  constructor(deps: ClaimingDeps) {
    this.#deps = deps;
  }

  request(): void {
    this.#again = true;
    this.#underWay ??= this.#claimAll().finally(() => {
      this.#underWay = null;
      if (this.#again && !this.#deps.signal.aborted) this.request();
    });
  }

  /** Resolves when the claim in flight has ended. */
  async ended(): Promise<void> {
    await this.#underWay;
  }

  async #claimAll(): Promise<void> {
    const { clock, counter, logger, signal, isBehind } = this.#deps;
    while (this.#again && !signal.aborted) {
      this.#again = false;
      const wanted = isBehind() ? [] : collectClaims(this.#deps);
      if (wanted.length === 0) return;
      try {
        await this.#claim(wanted);
      } catch (error) {
        for (const { run, reserved } of wanted) unreserve(counter, run, reserved);
        logger.warn({ err: error }, "webhook deliveries could not be claimed");
        await clock.sleep(ERROR_PAUSE_MILLIS, signal);
      }
    }
  }

  async #claim(wanted: readonly WantedClaim[]): Promise<void> {
    const { clock, store } = this.#deps;
    const claims = wanted.map(({ claim }) => claim);
    const deliveries = await store.claim(claims, clock.nowMillis());
    const byOwner = Map.groupBy(deliveries, (delivery) => delivery.owner);
    for (const { run, reserved, claim } of wanted) {
      const got = byOwner.get(run.owner) ?? [];
      if (got.length === claim.limit) this.#again = true;
      else run.hot = false;
      if (got.length > 0) run.busyAt = clock.monotonicMillis();
      this.#begin(run, got, reserved);
    }
  }

  /**
   * The first deliveries use the reserved places, the rest waits in memory; unused reservations are returned.
   */
  #begin(run: EndpointRun, deliveries: readonly ClaimedDelivery[], reserved: number): void {
    const { sender, counter } = this.#deps;
    for (const delivery of deliveries.slice(0, reserved)) sender.send(run, delivery);
    unreserve(counter, run, reserved - deliveries.length);
    sender.enqueue(run, deliveries.slice(reserved));
  }
}
