/** How many attempts may be in flight at once. */
export type PlaceLimits = {
  readonly perEndpoint: number;
  readonly total: number;
  /** For all endpoints together whose last attempt failed or took more than a second. */
  readonly slowTotal: number;
  /** Reserved: second places leave these free, so that a good endpoint always gets its first place. */
  readonly forFirstPlaces: number;
};

export const DEFAULT_PLACES: PlaceLimits = { perEndpoint: 8, total: 256, slowTotal: 128, forFirstPlaces: 64 };

/**
 * `good`: its last attempt was a quick success. `slow`: its last attempt failed or took more than a second,
 * or one in flight does. `new`: nothing is known yet. Only a good one gets more than one place.
 */
export type EndpointStanding = "good" | "slow" | "new";

export type PlacesTaken = { readonly total: number; readonly slow: number; readonly new: number };

/**
 * Whether an endpoint with `mine` attempts in flight may begin another. New and slow ones together leave a
 * quarter of all places to the good ones, and good ones leave the same number to each other's first: so
 * hanging receivers, however many, delay nobody.
 */
export function mayBegin(
  limits: PlaceLimits,
  standing: EndpointStanding,
  mine: number,
  taken: PlacesTaken,
): boolean {
  if (taken.total >= limits.total) return false;
  if (standing === "good") {
    return mine === 0 || (mine < limits.perEndpoint && taken.total < limits.total - limits.forFirstPlaces);
  }
  if (mine > 0) return false;
  if (standing === "slow") return taken.slow < limits.slowTotal;
  return taken.slow + taken.new < limits.total - limits.forFirstPlaces;
}
