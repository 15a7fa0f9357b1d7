/** No zone changes its offset twice within this time. */
export const STEADY_MILLIS = 6 * 3_600_000;

/** Asking Intl takes some 2 µs, and every dial asks. Enough for a few days of every zone. */
const REMEMBERED_BLOCKS = 10_000;
/** By zone, then by block of six hours; null: the offset changes within the block. */
const blocks = new Map<string, Map<number, number | null>>();
let remembered = 0;

/** One spelling for each zone, whose name may be written in any case: luxon caches each spelling for ever. */
export function zoneKey(timezone: string): string {
  return timezone.toLowerCase();
}

/** Local time minus UTC in milliseconds at that moment; the zone must be known. */
export function offsetMillis(timezone: string, millis: number): number {
  const zone = zoneKey(timezone);
  return offsetOfBlock(zone, Math.floor(millis / STEADY_MILLIS)) ?? askedOffset(zone, millis);
}

function offsetOfBlock(timezone: string, block: number): number | null {
  const known = blocks.get(timezone)?.get(block);
  if (known !== undefined) return known;
  const first = askedOffset(timezone, block * STEADY_MILLIS);
  const last = askedOffset(timezone, (block + 1) * STEADY_MILLIS - 1);
  const offset = first === last ? first : null;
  remember(timezone, block, offset);
  return offset;
}

function remember(timezone: string, block: number, offset: number | null): void {
  if (remembered >= REMEMBERED_BLOCKS) {
    blocks.clear();
    remembered = 0;
  }
  const ofZone = blocks.get(timezone) ?? new Map<number, number | null>();
  blocks.set(timezone, ofZone.set(block, offset));
  remembered += 1;
}

/** As `offsetMillis`, and nothing is remembered of it: for who looks at many years once. */
export function askedOffset(timezone: string, millis: number): number {
  const zone = zoneKey(timezone);
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(format.format(millis)) ?? [];
  const ahead = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ahead : ahead;
}

/** By zone. `11/27/2026, GMT+05:30`, and `GMT` alone in London's winter. */
const formats = new Map<string, Intl.DateTimeFormat>();
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/;
