import { type Instant, millisOf } from "../../shared/instant.ts";
import type { ContactHeld } from "../events.ts";

/** How often the address that is asked before each dial held a contact. */
export type EligibilityHolds = {
  /** Time of the last hold that was told. */
  readonly toldMillis: number;
  /** Since when it refuses the contact until later, counted from the last attempt on; null: it does not. */
  readonly refusedSinceMillis: number | null;
};

/** Of each row that was held so. */
type EligibilityBook = { readonly eligibility: Map<number, EligibilityHolds> };

type Held = Pick<ContactHeld["data"], "rule" | "until">;

const HOUR_MILLIS = 3_600_000;
const LONGEST_MILLIS = 30 * 24 * HOUR_MILLIS;

function isOfEligibility({ rule }: Held): boolean {
  return rule === "eligibility" || rule === "eligibility_unavailable";
}

/** Whether the contact would be refused until later for more than 30 days in all: then it is never. */
export function isRefusedTooLong({ eligibility }: EligibilityBook, row: number, held: Held): boolean {
  const since = eligibility.get(row)?.refusedSinceMillis ?? null;
  return (
    held.rule === "eligibility" &&
    held.until !== null &&
    since !== null &&
    millisOf(held.until) - since > LONGEST_MILLIS
  );
}

/** Whether no event tells of it: one that is shorter than an hour comes at most once an hour. */
export function isUntold({ eligibility }: EligibilityBook, row: number, held: Held, now: Instant): boolean {
  const told = eligibility.get(row)?.toldMillis ?? Number.NEGATIVE_INFINITY;
  const lasts = held.until === null ? 0 : millisOf(held.until) - millisOf(now);
  return isOfEligibility(held) && lasts < HOUR_MILLIS && millisOf(now) - told < HOUR_MILLIS;
}

export function noteHold({ eligibility }: EligibilityBook, row: number, held: Held, at: Instant): void {
  if (!isOfEligibility(held)) return;
  const toldMillis = millisOf(at);
  const since = eligibility.get(row)?.refusedSinceMillis ?? null;
  const refusedSinceMillis = held.rule === "eligibility" ? (since ?? toldMillis) : since;
  eligibility.set(row, { toldMillis, refusedSinceMillis });
}

/** It was dialled, or waits anew. */
export function endRefusal({ eligibility }: EligibilityBook, row: number): void {
  const holds = eligibility.get(row);
  if (holds !== undefined) eligibility.set(row, { ...holds, refusedSinceMillis: null });
}
