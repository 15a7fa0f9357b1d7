const formats = new Map<string, Intl.DateTimeFormat>();

/** `09:30`, the local time by Intl; the engine uses another way. */
export function localClock(timezone: string, at: string): string {
  const known = formats.get(timezone);
  const format =
    known ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  if (known === undefined) formats.set(timezone, format);
  return format.format(new Date(at));
}
