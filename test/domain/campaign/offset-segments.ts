const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SCANNED = { from: Date.parse("2024-01-01T00:00:00Z"), to: Date.parse("2034-01-01T00:00:00Z") };

/** From when on a zone has which offset (milliseconds), over ten years, as Intl names it. */
export type Segment = { readonly from: number; readonly offset: number };

const segments = new Map<string, readonly Segment[]>();
export function segmentsOf(zone: string): readonly Segment[] {
  const known = segments.get(zone) ?? findSegments(zone);
  segments.set(zone, known);
  return known;
}

function findSegments(zone: string): readonly Segment[] {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetAt = (millis: number) => {
    const [, sign = "+", hours = "0", minutes = "0"] =
      /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(millis)) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  };
  const found: Segment[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(SCANNED.from) }];
  for (let week = SCANNED.from; week < SCANNED.to; week += 7 * DAY) {
    let [low, high] = [week, week + 7 * DAY];
    if (offsetAt(low) === offsetAt(high)) continue;
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (offsetAt(middle) === offsetAt(low)) low = middle;
      else high = middle;
    }
    found.push({ from: high, offset: offsetAt(high) });
  }
  return found;
}
