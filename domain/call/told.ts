import type { CarrierRef } from "./carrier-identity.ts";
import type { CallState } from "./state.ts";

/** What identifies one carrier event. */
export type Telling = {
  readonly carrierRef: CarrierRef | null;
  readonly sequence: number | null;
  readonly dedupeKey?: string;
};

/** So many late events of a call are recorded; further ones are dropped. */
const LATE_AT_MOST = 50;

/** null: reported by a reply or a look-up. */
export function toldKey({ carrierRef, sequence, dedupeKey }: Telling): string | null {
  return dedupeKey ?? numberedKey({ carrierRef, sequence });
}

/** The key in older events, whose carriers had only one numbering. */
function numberedKey({ carrierRef, sequence }: Telling): string | null {
  return carrierRef === null || sequence === null ? null : `${carrierRef}#${sequence}`;
}

/** Applied before, also under the key of older events, which stored no dedupeKey. */
export function wasApplied(telling: Telling, { told }: CallState): boolean {
  return told.size > 0 && keysOf(telling).some((key) => told.has(key));
}

export function wasTold(telling: Telling, state: CallState): boolean {
  if (wasApplied(telling, state)) return true;
  return state.toldLate.size > 0 && keysOf(telling).some((key) => state.toldLate.has(key));
}

/** Whether one more late event may be recorded. */
export function takesLate({ toldLate }: CallState): boolean {
  return toldLate.size < LATE_AT_MOST;
}

function keysOf(telling: Telling): readonly string[] {
  return [telling.dedupeKey ?? null, numberedKey(telling)].filter((key) => key !== null);
}
