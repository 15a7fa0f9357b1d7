import { askedOffset, zoneKey } from "../window/zone-offset.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** No time between two changes of a clock is shorter than Morocco's Ramadan, some 35 days. */
const STEP = 28 * DAY;
/**
 * Judged with a dial: periods that began up to 31 days before it, openings within 800 days after it.
 */
const YEARS_BEFORE = 1;
const YEARS_AFTER = 4;

type OfYear = { readonly year: number; readonly zones: readonly string[] };

const judged = new WeakMap<readonly string[], OfYear>();

/**
 * One zone for each set of rules: zones whose clocks go alike from the year before `millis` until three years
 * after it. Remembered by the array, so callers keep one for each set of zones.
 */
export function differentRules(zones: readonly string[], millis: number): readonly string[] {
  if (zones.length === 1) return zones;
  const year = new Date(millis).getUTCFullYear();
  const before = judged.get(zones);
  if (before?.year === year) return before.zones;
  const different = new Map<string, string>();
  for (const zone of zones) {
    const rules = rulesOf(zone, year);
    if (!different.has(rules)) different.set(rules, zone);
  }
  const found = { year, zones: [...different.values()] };
  judged.set(zones, found);
  return found.zones;
}

const read = new Map<string, { readonly year: number; readonly rules: string }>();

/** Offsets of the years around `year`, with the moments at which they change, as text. */
function rulesOf(zone: string, year: number): string {
  const key = zoneKey(zone);
  const before = read.get(key);
  if (before?.year === year) return before.rules;
  const [from, to] = [Date.UTC(year - YEARS_BEFORE, 0), Date.UTC(year + YEARS_AFTER, 0)];
  let offset = askedOffset(zone, from);
  const changes = [`${offset}`];
  for (let at = from; at < to; at += STEP) {
    const after = askedOffset(zone, at + STEP);
    if (after !== offset) changes.push(`${changeBetween(zone, at, at + STEP, offset)} ${after}`);
    offset = after;
  }
  const rules = changes.join();
  read.set(key, { year, rules });
  return rules;
}

/** Clocks are moved at whole minutes. */
function changeBetween(zone: string, from: number, to: number, offset: number): number {
  let [before, after] = [from / MINUTE, to / MINUTE];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (askedOffset(zone, middle * MINUTE) === offset) before = middle;
    else after = middle;
  }
  return after;
}
