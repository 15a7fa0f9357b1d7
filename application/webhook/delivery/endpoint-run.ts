import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { EndpointHealth } from "../../../domain/webhook/endpoint-health.ts";
import type { ClaimedDelivery, LeasedEndpoint } from "../../ports/delivery-store.ts";
import { type EndpointStanding, mayBegin, type PlaceLimits, type PlacesTaken } from "./places.ts";

/** A recorded start that waits for a place; `claimedAt` is monotonic. */
export type QueuedDelivery = { readonly delivery: ClaimedDelivery; readonly claimedAt: number };

/** State of an endpoint in memory while this process holds its lease. */
export type EndpointRun = {
  readonly owner: OwnerId;
  endpoint: LeasedEndpoint;
  health: EndpointHealth;
  standing: EndpointStanding;
  inUse: boolean;
  /** Places taken: attempts in flight, and claims on their way to one. */
  placed: number;
  /** Recorded as started, waiting for a place. */
  readonly queue: QueuedDelivery[];
  /** Moving average of the duration of an attempt. */
  attemptMillis: number;
  /** Something may be due in the store. */
  hot: boolean;
  /** When the lease was last renewed, and when there last was work; monotonic. */
  leasedAt: number;
  busyAt: number;
  /** Wall clock of the last health record, and whether it said proven. */
  recordedAtMillis: number;
  recordedProven: boolean;
};

/** Assumed until the first attempt of an endpoint has ended. */
const UNKNOWN_ATTEMPT_MILLIS = 250;
/** Weight of the last attempt in the average. */
const SMOOTHING = 0.2;

export function newRun(endpoint: LeasedEndpoint, monotonic: number): EndpointRun {
  return {
    owner: endpoint.owner,
    endpoint,
    health: endpoint.health,
    standing: standingOf(endpoint),
    inUse: endpoint.inUse,
    placed: 0,
    queue: [],
    attemptMillis: UNKNOWN_ATTEMPT_MILLIS,
    hot: true,
    leasedAt: monotonic,
    busyAt: monotonic,
    recordedAtMillis: 0,
    recordedProven: endpoint.proven,
  };
}

export function smoothAttemptMillis(run: EndpointRun, tookMillis: number): void {
  run.attemptMillis += SMOOTHING * (tookMillis - run.attemptMillis);
}

/** Standing of an endpoint at takeover: only a process that delivers to it knows more. */
export function standingOf(endpoint: LeasedEndpoint): EndpointStanding {
  if (endpoint.health.breaker.failures > 0) return "slow";
  return endpoint.proven ? "good" : "new";
}

/** Counts the places of all endpoints together. */
export type PlaceCounter = {
  /** Takes a place for this endpoint if there is one. */
  take(run: EndpointRun): boolean;
  free(run: EndpointRun): void;
  /** The endpoint's places now count for its new standing. */
  move(run: EndpointRun, standing: EndpointStanding): void;
  total(): number;
};

export function placeCounter(limits: PlaceLimits): PlaceCounter {
  const taken = { good: 0, slow: 0, new: 0 };
  const total = () => taken.good + taken.slow + taken.new;
  const seen = (): PlacesTaken => ({ total: total(), slow: taken.slow, new: taken.new });
  return {
    take(run) {
      if (!mayBegin(limits, run.standing, run.placed, seen())) return false;
      run.placed += 1;
      taken[run.standing] += 1;
      return true;
    },
    free(run) {
      run.placed -= 1;
      taken[run.standing] -= 1;
    },
    move(run, standing) {
      taken[run.standing] -= run.placed;
      taken[standing] += run.placed;
      run.standing = standing;
    },
    total,
  };
}
