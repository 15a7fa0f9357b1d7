import { countriesOf } from "../../domain/policy/number-countries.ts";
import type { VerifiedRule, WhyUnverifiable } from "../ports/verifications.ts";
import { DIAL, type DialBook, LONGEST_WRITING_MILLIS, phoneNumberOf } from "./dial-book.ts";
import type { createPeopleZones, PeopleZones } from "./people-zones.ts";
import type { Judged, OwnerStandings } from "./standing.ts";
import { hoursText, localText, type ZoneClock } from "./zone-clock.ts";

/** What one rule says of a dial; where it keeps it: null. */
export type Judgement =
  | {
      readonly broken: true;
      readonly value: string | number | null;
      readonly limit: string | number | null;
    }
  | { readonly broken: false; readonly why: WhyUnverifiable };

/** A dial among those of its number, in order of time: those from `first` to before `rank` are earlier. */
export type DialInGroup = {
  readonly row: number;
  readonly rank: number;
  readonly first: number;
  /** Row of an earlier dial of the number that was still in a call; null: there is none. */
  readonly liveRow: number | null;
};

export type Judging = {
  readonly book: DialBook;
  readonly standings: OwnerStandings;
  /** Rows of dials by number, then by time. */
  readonly order: Uint32Array;
  readonly zones: ReturnType<typeof createPeopleZones>;
};

/** When it may have been judged: once, or without evidence at some moment within a minute. */
export function momentsOf({ columns, has }: DialBook, row: number): readonly number[] {
  const judged = columns.judged.get(row);
  return has(row, DIAL.judged) ? [judged] : [judged, judged + LONGEST_WRITING_MILLIS];
}

type Found = readonly (readonly [VerifiedRule, Judgement | null])[];

/** Rules that ask where the person is. Where the log does not tell, all zones in question have to say so. */
export function zonedRules(judging: Judging, dial: DialInGroup, judged: Judged): Found {
  const byReading = readingsOf(judging, dial.row).map((zones): Found => {
    if (zones === "unknown_to_intl") return [["zone_unknown", { broken: false, why: "zone_data" }]];
    if (zones === null) return [["zone_unknown", unknownZone(judging, dial.row)]];
    return [
      ["attemptsPerNumber", caps(judging, dial, judged, zones)],
      ["callableHours", hours(judging, dial.row, judged, zones)],
    ];
  });
  const [only] = byReading;
  if (only !== undefined && byReading.length === 1) return only;
  return (["attemptsPerNumber", "callableHours", "zone_unknown"] as const).map((rule) => [
    rule,
    together(byReading.map((found) => found.find(([name]) => name === rule)?.[1] ?? null)),
  ]);
}

/** What the person's zones may be. */
function readingsOf({ book, zones }: Judging, row: number): readonly PeopleZones[] {
  const own = book.ownZone(row);
  const ofOwn = own === null ? [] : [zones.own(own)];
  if (own !== null && book.has(row, DIAL.zoneTold)) return ofOwn;
  return [...ofOwn, zones.ofNumber(book.columns.number.get(row))];
}

function together(found: readonly (Judgement | null)[]): Judgement | null {
  const [first = null] = found;
  if (found.every((each) => each === null)) return null;
  if (found.every((each) => each?.broken === true)) return first;
  return { broken: false, why: "zone_not_told" };
}

function unknownZone({ book }: Judging, row: number): Judgement {
  if (!book.has(row, DIAL.sameData)) return { broken: false, why: "zone_data" };
  const { country } = countriesOf(phoneNumberOf(book.columns.number.get(row)));
  return { broken: true, value: country, limit: null };
}

function hours(
  { book }: Judging,
  row: number,
  { hours: open }: Judged,
  zones: readonly ZoneClock[],
): Judgement | null {
  if (open === null) return null;
  const closed = momentsOf(book, row).map((millis) => ({
    millis,
    clock: zones.find(({ offset }) => !open.isOpen(millis + offset(millis))),
  }));
  const [first] = closed;
  const told = isSameData(book, row, zones) ? null : book.offsets(row);
  if (told !== null) {
    const millis = book.columns.judged.get(row);
    const wasOpen = told.every((offset) => open.isOpen(millis + offset));
    if (wasOpen !== (first?.clock === undefined)) return { broken: false, why: "zone_data" };
  }
  if (first?.clock === undefined || closed.some(({ clock }) => clock === undefined)) return null;
  const value = localText(first.millis, first.clock.offset(first.millis));
  return { broken: true, value, limit: hoursText(open.window) };
}

/** Whether the zones of its evidence are those of here. */
function isSameData(book: DialBook, row: number, zones: readonly ZoneClock[]): boolean {
  if (book.has(row, DIAL.sameData)) return true;
  const millis = book.columns.judged.get(row);
  const ours = zones.map(({ offset }) => offset(millis));
  return book.offsets(row)?.join() === [Math.min(...ours), Math.max(...ours)].join();
}

function caps(
  judging: Judging,
  dial: DialInGroup,
  { caps: limits }: Judged,
  zones: readonly ZoneClock[],
): Judgement | null {
  const moments = momentsOf(judging.book, dial.row);
  for (const [period, most] of limits) {
    if (dial.rank - dial.first < most) continue;
    const counts = moments.map((millis) => {
      const begin = Math.min(...zones.map(({ beginOf }) => beginOf(period, millis)));
      return dialsFrom(judging, dial, begin);
    });
    if (counts.some((count) => count < most)) continue;
    if (!isSameData(judging.book, dial.row, zones)) return { broken: false, why: "zone_data" };
    return { broken: true, value: counts[0] ?? most, limit: `${most}/${period}` };
  }
  return null;
}

/** Dials of the number before this one, from a time on: those that may have come after it do not count. */
function dialsFrom({ book, order }: Judging, { row, rank, first }: DialInGroup, begin: number): number {
  const { judged, place } = book.columns;
  let [low, high] = [first, rank];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (judged.get(order[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  let count = rank - low;
  const since = judged.get(row) - LONGEST_WRITING_MILLIS;
  for (let index = rank - 1; index >= low; index -= 1) {
    const other = order[index] ?? 0;
    if (judged.get(other) < since) break;
    const mayBeLater = !book.has(other, DIAL.judged) || !book.has(row, DIAL.judged);
    if (mayBeLater && place.get(other) > place.get(row)) count -= 1;
  }
  return count;
}
