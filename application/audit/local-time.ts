import type { Instant } from "../../domain/shared/instant.ts";

/** Local time by Intl; the engine uses another way on purpose. */
export type LocalTime = {
  /** `2026-09-01T13:00:00` */
  readonly text: string;
  readonly utcOffsetMinutes: number;
};

export type LocalTimes = (timezone: string, at: Instant) => LocalTime | null;

/** Returns null for an unknown zone. */
export function createLocalTimes(): LocalTimes {
  const formats = new Map<string, Intl.DateTimeFormat | null>();
  return (timezone, at) => {
    const known = formats.get(timezone);
    const format = known === undefined ? formatOf(timezone) : known;
    if (known === undefined) formats.set(timezone, format);
    return format === null ? null : localTimeOf(format, at);
  };
}

function formatOf(timezone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("sv-SE", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return null;
  }
}

/** The Swedish date format is `2026-09-01 13:00:00`; its difference to UTC is the offset. */
function localTimeOf(format: Intl.DateTimeFormat, at: Instant): LocalTime {
  const text = format.format(Date.parse(at)).replace(" ", "T");
  const utcSeconds = Math.floor(Date.parse(at) / 1_000);
  return {
    text,
    utcOffsetMinutes: (Date.parse(`${text}Z`) / 1_000 - utcSeconds) / 60,
  };
}
