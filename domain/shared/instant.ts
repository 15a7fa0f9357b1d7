/** A moment as ISO 8601 in UTC with milliseconds, for example `2026-09-01T10:00:00.000Z`. Sorts as text. */
export type Instant = `${string}Z`;

export function instantFromMillis(millis: number): Instant {
  return new Date(millis).toISOString() as Instant;
}

export function millisOf(instant: Instant): number {
  return Date.parse(instant);
}

export function plusMillis(instant: Instant, millis: number): Instant {
  return instantFromMillis(millisOf(instant) + millis);
}

/** Any ISO 8601 text with an offset, as an Instant; null when it is none. */
export function parseInstant(text: string): Instant | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? null : instantFromMillis(millis);
}
