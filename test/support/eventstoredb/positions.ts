import type { EventStoreDbLog } from "./log.ts";

/**
 * Where a position lies in the log: the event that begins there, the end for one beyond it (accepted
 * silently), `invalid` for one between two events (fact 11).
 */
export function indexOfPosition(log: EventStoreDbLog, position: bigint): number | "invalid" {
  let low = 0;
  let high = log.records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((log.records[middle]?.position ?? 0n) < position) low = middle + 1;
    else high = middle;
  }
  if (low === log.records.length) {
    return position > (log.records.at(-1)?.position ?? -1n) ? low : "invalid";
  }
  return log.records[low]?.position === position ? low : "invalid";
}
