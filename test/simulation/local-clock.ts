const formats = new Map<string, Intl.DateTimeFormat>();

/** `09:30`, the local time as Intl tells it: not the way the engine finds it. */
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
