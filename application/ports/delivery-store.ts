import type { DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import type { AttemptClass } from "../../domain/webhook/attempt-outcome.ts";
import type { EndpointHealth, Retirement } from "../../domain/webhook/endpoint-health.ts";
import type { EndpointSecrets, PhaseTimes } from "./webhook-sender.ts";

/** An endpoint, for the process that holds its lease. */
export type LeasedEndpoint = {
  readonly owner: OwnerId;
  /** Rises with every change of the settings or the secrets. */
  readonly version: number;
  readonly url: string;
  /** Enabled, and its address was not found to be forbidden. */
  readonly inUse: boolean;
  readonly secrets: EndpointSecrets;
  readonly health: EndpointHealth;
  /** It had a success since its settings last changed. */
  readonly proven: boolean;
};

/** A delivery whose next attempt is recorded as started. */
export type ClaimedDelivery = {
  readonly owner: OwnerId;
  readonly id: DeliveryId;
  readonly eventId: string;
  /** The bytes of the body as text. */
  readonly body: string;
  /** Number of the attempt that was started. */
  readonly attempt: number;
  readonly failures: number;
  readonly trigger: "auto" | "manual";
  /** The attempt before ended unknown, because its process died. */
  readonly recovering: boolean;
};

export type Claim = { readonly owner: OwnerId; readonly version: number; readonly limit: number };

/** How an attempt ended, with its entry for the log. */
export type AttemptRecord = {
  readonly owner: OwnerId;
  readonly id: DeliveryId;
  readonly number: number;
  readonly trigger: "auto" | "manual" | "recovery";
  readonly startedAtMillis: number;
  readonly endedAtMillis: number;
  readonly class: AttemptClass;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly phases: PhaseTimes;
  readonly answer: string | null;
  readonly answerHeaders: Readonly<Record<string, string>> | null;
  readonly remoteAddress: string | null;
  readonly secretId: string;
  readonly status: "delivered" | "retrying" | "held" | "dead";
  readonly failures: number;
  readonly nextAttemptAtMillis: number | null;
};

/** What a batch of attempts changed about their endpoint. */
export type HealthRecord = {
  readonly owner: OwnerId;
  /** Version of the settings of these attempts: newer settings are not retired by them. */
  readonly version: number;
  readonly health: EndpointHealth;
  readonly proven: boolean;
  readonly retire: Retirement | null;
  readonly atMillis: number;
};

/**
 * Persistence of the delivery loop. Times are the caller's clock, leases the store's own. Every method may be
 * repeated after a failure.
 */
export interface DeliveryStore {
  /**
   * Owners with a delivery that is due or in flight and whose lease is free or `worker`'s, in no
   * order; at most `limit`.
   */
  dueOwners(worker: string, nowMillis: number, limit: number): Promise<readonly OwnerId[]>;
  /**
   * Takes or renews the leases of these owners; returns those it now holds. Owners without an
   * endpoint are left out.
   */
  lease(worker: string, owners: readonly OwnerId[], ttlMillis: number): Promise<readonly LeasedEndpoint[]>;
  release(worker: string, owners: readonly OwnerId[]): Promise<void>;
  /**
   * Records the start of the next attempt of due deliveries, oldest due first, and returns them. A call.ended
   * waits until its call.started is delivered, dead, or has failed three times. Nothing for an endpoint that
   * is not in use or has another version.
   */
  claim(claims: readonly Claim[], nowMillis: number): Promise<readonly ClaimedDelivery[]>;
  /** Takes back starts of attempts that were never sent. */
  giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records ends of attempts and their effect on the endpoints, all or nothing. An attempt that was recorded
   * before is not changed.
   */
  record(attempts: readonly AttemptRecord[], healths: readonly HealthRecord[]): Promise<void>;
  /**
   * Attempts of these owners that were started before `beforeMillis` and are not in `underWay`: logged as
   * unknown and due again. Returns how many.
   */
  recoverUnknown(
    owners: readonly OwnerId[],
    beforeMillis: number,
    nowMillis: number,
    underWay: readonly DeliveryId[],
  ): Promise<number>;
  /** Holds the deliveries of an endpoint that is not in use. */
  hold(owners: readonly OwnerId[], nowMillis: number): Promise<void>;
  /**
   * Deliveries held for seven days become dead; bodies older than 14 days without an open delivery are
   * dropped. Repeat while it returns more than 0.
   */
  retire(nowMillis: number, limit: number): Promise<number>;
  /**
   * When the oldest event was queued that is neither delivered nor dead (held and throttled ones
   * included); null: none.
   */
  oldestUndelivered(): Promise<number | null>;
}

/** An attempt can be unknown only after this time, which is longer than the total deadline of an exchange. */
export const UNKNOWN_AFTER_MILLIS = 20_000;

/** How long bodies are kept after their event: the reach of a range replay. */
export const BODY_KEPT_MILLIS = 14 * 24 * 3_600_000;
