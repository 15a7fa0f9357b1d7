const formats = new Map<string, Intl.DateTimeFormat>();

/** The local hour, 0 to 23, as Intl tells it: not the way the engine finds it. */
export function localHour(timezone: string, at: string): number {
  const known = formats.get(timezone);
  const format =
    known ?? new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", hourCycle: "h23" });
  if (known === undefined) formats.set(timezone, format);
  return Number(format.format(new Date(at)));
}
