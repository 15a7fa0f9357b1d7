import type { SuppressionListRecord } from "../../../../../contract/suppression-list.ts";
import { OWN_LIST } from "../../do-not-call/texts.ts";

export const LISTS = "/api/v1/suppression-lists";

const DAY_MILLIS = 86_400_000;

/**
 * off: its numbers are called; behind: the database lacks numbers; empty: it was never loaded; missing: the
 * same, of a registry whose age counts; old: older than the policy allows; aged: a registry, `days` old; on:
 * its age does not matter.
 */
export type Standing = {
  readonly state: "off" | "behind" | "empty" | "missing" | "old" | "aged" | "on";
  /** Whole days since the day of the list. */
  readonly days: number;
};

type Listed = Pick<SuppressionListRecord, "id" | "kind" | "active" | "asOf" | "behind">;

/** The do-not-call list: it has a page of its own, and is always there. */
export const isOwnList = ({ id }: Pick<Listed, "id">): boolean => id === OWN_LIST;

/** `maxAgeDays`: the policy's; null: none. `now`: ms since 1970. */
export function standingOf(list: Listed, maxAgeDays: number | null, now: number): Standing {
  const { kind, active, asOf, behind } = list;
  const age = asOf === null ? 0 : now - Date.parse(asOf);
  const days = Math.max(0, Math.floor(age / DAY_MILLIS));
  if (isOwnList(list)) return { state: "on", days };
  if (behind) return { state: "behind", days };
  if (!active) return { state: "off", days };
  const isJudged = kind === "registry" && maxAgeDays !== null;
  if (asOf === null) return { state: isJudged ? "missing" : "empty", days };
  if (kind !== "registry") return { state: "on", days };
  const isOld = isJudged && age >= maxAgeDays * DAY_MILLIS;
  return { state: isOld ? "old" : "aged", days };
}

/** The policy limits the age of registry lists, and none is active. */
export function refusesEverybody(lists: readonly Listed[], maxAgeDays: number | null): boolean {
  return maxAgeDays !== null && !lists.some(({ kind, active }) => kind === "registry" && active);
}
