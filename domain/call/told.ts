import type { CarrierRef } from "./carrier-identity.ts";
import type { CallState } from "./state.ts";

/** What tells one event of the carrier from another. */
export type Telling = {
  readonly carrierRef: CarrierRef | null;
  readonly sequence: number | null;
  readonly dedupeKey?: string;
};

/** Late events of a call that are recorded at most: what comes then is passed over. */
const LATE_AT_MOST = 50;

/** null: told by a reply or a look-up. */
export function toldKey({ carrierRef, sequence, dedupeKey }: Telling): string | null {
  return dedupeKey ?? numberedKey({ carrierRef, sequence });
}

/** The name of events from before, of carriers that had one numbering. */
function numberedKey({ carrierRef, sequence }: Telling): string | null {
  return carrierRef === null || sequence === null ? null : `${carrierRef}#${sequence}`;
}

/** Applied before, also under the name that events had before they stored their dedupeKey. */
export function wasApplied(telling: Telling, { told }: CallState): boolean {
  return told.size > 0 && keysOf(telling).some((key) => told.has(key));
}

export function wasTold(telling: Telling, state: CallState): boolean {
  if (wasApplied(telling, state)) return true;
  return state.toldLate.size > 0 && keysOf(telling).some((key) => state.toldLate.has(key));
}

/** One more late event may be recorded. */
export function takesLate({ toldLate }: CallState): boolean {
  return toldLate.size < LATE_AT_MOST;
}

function keysOf(telling: Telling): readonly string[] {
  return [telling.dedupeKey ?? null, numberedKey(telling)].filter((key) => key !== null);
}
