import type { Clock } from "../../../../application/ports/clock.ts";
import { type Instant, instantFromMillis } from "../../../../domain/shared/instant.ts";
import type { AriClient } from "./ari-client.ts";
import { pingSchema } from "./ari-schemas.ts";

/** `2026-11-23T18:31:18.218+0000` → milliseconds; NaN for anything else. */
export function millisOfAri(timestamp: string): number {
  return Date.parse(timestamp.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

/** Asterisk's timestamp; `fallback` if it cannot be read. */
export function instantOfAri(timestamp: string, fallback: Instant): Instant {
  const millis = millisOfAri(timestamp);
  return Number.isNaN(millis) ? fallback : instantFromMillis(millis);
}

/**
 * How far its clock is ahead of ours in milliseconds; half of the round trip is subtracted.
 * null: it does not say.
 */
export async function clockAhead(
  ari: Pick<AriClient, "request">,
  clock: Pick<Clock, "nowMillis">,
): Promise<number | null> {
  const before = clock.nowMillis();
  const answer = await ari.request({ method: "GET", path: "/asterisk/ping" });
  const after = clock.nowMillis();
  if (answer.kind === "failed" || answer.status !== 200) return null;
  const read = pingSchema.safeParse(answer.body);
  const theirs = read.success ? millisOfAri(read.data.timestamp) : Number.NaN;
  return Number.isNaN(theirs) ? null : Math.round(theirs - (before + after) / 2);
}

/** A dial carries the end of its ring time (RF_DIAL_BY), which Asterisk compares with its own clock. */
const MOST_APART_MILLIS = 2_000;

/** null: close enough. */
export function clocksApart(aheadMillis: number): string | null {
  if (Math.abs(aheadMillis) <= MOST_APART_MILLIS) return null;
  const seconds = (Math.abs(aheadMillis) / 1_000).toFixed(1);
  const which = aheadMillis > 0 ? "ahead of" : "behind";
  return `Asterisk's clock is ${seconds} s ${which} ours, and at most 2 s are allowed: set both by NTP`;
}
