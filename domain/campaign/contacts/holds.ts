import type { CallId } from "../../shared/ids.ts";
import { type Instant, millisOf } from "../../shared/instant.ts";
import type { HoldRule } from "../events.ts";

/** How a rule of the owner's policy holds a contact. It is over when the policy has another version. */
export type HoldTerms = {
  readonly rule: HoldRule;
  /** null: until the call `heldBy` has ended, which the campaign does not know. */
  readonly until: Instant | null;
  readonly heldBy: CallId | null;
  readonly policyVersion: number;
};

/** One for all rows that are held alike and would stand in the same queue without it. */
export type Hold = HoldTerms & {
  readonly key: string;
  /** Index of that queue. */
  readonly of: number;
  readonly untilMillis: number;
  /**
   * Where they stand instead, in the same order; undefined: where they stood, because `until` is not known.
   */
  readonly queue: number[] | undefined;
  rows: number;
};

export type HoldBook = {
  /** Of each row that is held. */
  readonly held: Map<number, Hold>;
  /** By key; none is without rows. */
  readonly holds: Map<string, Hold>;
};

/**
 * At which time, and by which version of the owner's policy (0: there is none), somebody asks. `but`: holds
 * by this rule keep nobody.
 */
export type PolicyMoment = {
  readonly millis: number;
  readonly policyVersion: number;
  readonly but?: HoldRule;
};

/** Whether the hold stands. One without `until` does as long as nothing else is said of its contact. */
export function isStanding(hold: Hold, { millis, policyVersion, but }: PolicyMoment): boolean {
  if (hold.policyVersion !== policyVersion || hold.rule === but) return false;
  return hold.until === null || hold.untilMillis > millis;
}

/** Until then its rows are not due; 0: it keeps none back by a time. */
export function keepsUntilMillis(hold: Hold, moment: PolicyMoment): number {
  return isStanding(hold, moment) ? hold.untilMillis : 0;
}

export function isHeldLike(hold: Hold | undefined, terms: HoldTerms): boolean {
  return (
    hold !== undefined &&
    hold.rule === terms.rule &&
    hold.until === terms.until &&
    hold.heldBy === terms.heldBy &&
    hold.policyVersion === terms.policyVersion
  );
}

/** While it stands in no queue, and has no hold. `of`: the queue in which it stands without one. */
export function beginHold({ held, holds }: HoldBook, row: number, of: number, terms: HoldTerms): void {
  const { rule, until, heldBy, policyVersion } = terms;
  const key = [of, rule, until, heldBy, policyVersion].join("|");
  const known = holds.get(key);
  const untilMillis = until === null ? 0 : millisOf(until);
  const hold = known ?? {
    ...{ rule, until, heldBy, policyVersion, key, of, untilMillis, rows: 0 },
    queue: until === null ? undefined : [],
  };
  hold.rows += 1;
  holds.set(key, hold);
  held.set(row, hold);
}

/** While it stands in no queue. Nothing changes when it has none. */
export function endHold({ held, holds }: HoldBook, row: number): void {
  const hold = held.get(row);
  if (hold === undefined) return;
  held.delete(row);
  hold.rows -= 1;
  if (hold.rows === 0) holds.delete(hold.key);
}
