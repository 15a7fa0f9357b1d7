import { IANAZone } from "luxon";

/** No zone changes its offset twice within this time. */
export const STEADY_MILLIS = 6 * 3_600_000;

/** Asking luxon takes some 5 µs, and every dial asks. Enough for a few days of every zone. */
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

function askedOffset(timezone: string, millis: number): number {
  return Math.round(IANAZone.create(timezone).offset(millis) * 60_000);
}
