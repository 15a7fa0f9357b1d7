/**
 * When people may be called, in their local time. start < end: that day; start > end: overnight; both 0: the
 * whole day, allowed only with days or dates. Absent fields have the meaning of older events: minute 0, every
 * day, no date excluded.
 */
export type CallWindow = {
  /** Hours, 0..23. */
  readonly start: number;
  readonly end: number;
  /** 1..59. */
  readonly startMinute?: number;
  readonly endMinute?: number;
  /** ISO weekdays on which a window begins, 1 Monday to 7 Sunday, ascending. */
  readonly days?: readonly number[];
  /** `2026-12-25`, ascending, at most 100. */
  readonly excludedDates?: readonly string[];
};
