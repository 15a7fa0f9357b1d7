import { type Instant, millisOf } from "../shared/instant.ts";
import type { ConsentTimes } from "./policy.ts";

/** The clock of whoever noted it may be ahead. */
const AHEAD_MILLIS = 60_000;

/** Whether it says to be of a time that has not come: nobody has agreed yet. */
export function isOfTheFuture({ at }: ConsentTimes, now: Instant): boolean {
  return millisOf(at) > millisOf(now) + AHEAD_MILLIS;
}

/** Whether it ends before it counts, or at once. */
export function neverCounts({ at, expiresAt }: ConsentTimes): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}

/** Whether it was given, and has not ended by then (milliseconds). */
export function isInForce(consent: ConsentTimes | null | undefined, millis: number): boolean {
  return consent != null && (consent.expiresAt === undefined || millisOf(consent.expiresAt) > millis);
}
