import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Claim } from "../../ports/delivery-store.ts";
import type { EndpointRun, PlaceCounter } from "./endpoint-run.ts";
import type { PlaceLimits } from "./places.ts";

/**
 * How many starts are recorded ahead of a free place, so that a good endpoint never waits for the disk
 * between two attempts: what it can answer within AHEAD_MILLIS, between these limits.
 */
const LEAST_AHEAD = 8;
const MOST_AHEAD = 64;
const AHEAD_MILLIS = 100;
const LARGEST_CLAIM = 512;

/** `reserved`: places taken for its first deliveries. */
export type WantedClaim = { readonly run: EndpointRun; readonly reserved: number; readonly claim: Claim };

export type ClaimDeps = {
  readonly clock: Clock;
  readonly counter: PlaceCounter;
  readonly places: PlaceLimits;
  readonly runs: Map<OwnerId, EndpointRun>;
  readonly mayClaim: (run: EndpointRun) => boolean;
};

/** In the order in which the endpoints were last served, so that each gets its turn. */
export function collectClaims(deps: ClaimDeps): WantedClaim[] {
  const { runs } = deps;
  const wanted: WantedClaim[] = [];
  let room = LARGEST_CLAIM;
  for (const run of [...runs.values()]) {
    if (room <= 0) break;
    if (!run.hot || !deps.mayClaim(run)) continue;
    const reserved = reserve(deps, run, room);
    const limit = reserved + aheadOf(deps.places, run, reserved);
    if (limit === 0) continue;
    room -= limit;
    wanted.push({ run, reserved, claim: { owner: run.owner, version: run.endpoint.version, limit } });
    runs.delete(run.owner);
    runs.set(run.owner, run);
  }
  return wanted;
}

/** Returns places for which there was no start. */
export function unreserve(counter: PlaceCounter, run: EndpointRun, count: number): void {
  for (let left = count; left > 0; left--) counter.free(run);
}

/** One whose breaker lets a single delivery try is slow, and so has one place. */
function reserve({ counter }: ClaimDeps, run: EndpointRun, room: number): number {
  let reserved = 0;
  while (reserved < room && run.queue.length === 0 && counter.take(run)) reserved += 1;
  return reserved;
}

function aheadOf(places: PlaceLimits, run: EndpointRun, reserved: number): number {
  const saturated = run.standing === "good" && run.placed > 0 && reserved < places.perEndpoint;
  const ahead = aheadFor(places, run);
  // Claimed when half of it is used: a few large claims cost less than many small ones.
  return saturated && run.queue.length <= ahead / 2 ? ahead - run.queue.length : 0;
}

function aheadFor(places: PlaceLimits, run: EndpointRun): number {
  const answered = Math.ceil((places.perEndpoint * AHEAD_MILLIS) / Math.max(1, run.attemptMillis));
  return Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, answered));
}
