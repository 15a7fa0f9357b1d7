import type { CarrierRef } from "./carrier-identity.ts";
import type { CallState } from "./state.ts";

/** What identifies one carrier event. */
export type EventKeys = {
  readonly carrierRef: CarrierRef | null;
  readonly sequence: number | null;
  readonly dedupeKey?: string;
};

/** So many late events of a call are recorded; further ones are dropped. */
const LATE_AT_MOST = 50;

/** null: reported by a reply or a look-up. */
export function dedupeKeyOf({ carrierRef, sequence, dedupeKey }: EventKeys): string | null {
  return dedupeKey ?? numberedKey({ carrierRef, sequence });
}

/** The key in older events, whose carriers had only one numbering. */
function numberedKey({ carrierRef, sequence }: EventKeys): string | null {
  return carrierRef === null || sequence === null ? null : `${carrierRef}#${sequence}`;
}

/** Applied before, also under the key of older events, which stored no dedupeKey. */
export function wasApplied(keys: EventKeys, { appliedKeys }: CallState): boolean {
  return appliedKeys.size > 0 && keysOf(keys).some((key) => appliedKeys.has(key));
}

export function wasRecorded(keys: EventKeys, state: CallState): boolean {
  if (wasApplied(keys, state)) return true;
  return state.lateKeys.size > 0 && keysOf(keys).some((key) => state.lateKeys.has(key));
}

/** Whether one more late event may be recorded. */
export function takesLate({ lateKeys }: CallState): boolean {
  return lateKeys.size < LATE_AT_MOST;
}

function keysOf(keys: EventKeys): readonly string[] {
  return [keys.dedupeKey ?? null, numberedKey(keys)].filter((key) => key !== null);
}
