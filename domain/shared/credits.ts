/** Credits counted in whole ten-thousandths (1 credit = 10,000 units), so that sums are exact. */
export type CreditUnits = number;

export const UNITS_PER_CREDIT = 10_000;

export function creditsToUnits(credits: number): CreditUnits {
  return Math.round(credits * UNITS_PER_CREDIT);
}

export function unitsToCredits(units: CreditUnits): number {
  return units / UNITS_PER_CREDIT;
}

/** Cost of `seconds` at a price per minute; a started second counts (docs/api.md §5, Credits). */
export function costOfSeconds(seconds: number, pricePerMinute: CreditUnits): CreditUnits {
  return Math.round((Math.ceil(Math.max(0, seconds)) * pricePerMinute) / 60);
}
