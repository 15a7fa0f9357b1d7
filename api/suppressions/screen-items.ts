import { REPORTED } from "../../application/campaign/screen-contacts.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { SuppressionItem } from "./schemas.ts";

type Rejected = {
  readonly index: number;
  readonly phoneNumber: string;
  readonly reason: "not_e164" | "not_possible";
};

export type ScreenedItems = {
  /** Number of items with a valid number, repeats included. */
  readonly accepted: number;
  /** The first reason of each number. */
  readonly reasons: ReadonlyMap<PhoneNumber, string | null>;
  /** How many, and the first 100. */
  readonly rejected: { readonly count: number; readonly items: readonly Rejected[] };
};

export function screenItems(items: Iterable<SuppressionItem>): ScreenedItems {
  const reasons = new Map<PhoneNumber, string | null>();
  const rejected: Rejected[] = [];
  let index = 0;
  for (const { phoneNumber, number, reason = null } of items) {
    if (!number.ok) rejected.push({ index, phoneNumber, reason: number.reason });
    else if (!reasons.has(number.value)) reasons.set(number.value, reason);
    index += 1;
  }
  return {
    accepted: index - rejected.length,
    reasons,
    rejected: { count: rejected.length, items: rejected.slice(0, REPORTED) },
  };
}
