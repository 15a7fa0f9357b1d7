import { isKnownZone } from "../../window/call-window.ts";
import { zoneKey } from "../../window/zone-offset.ts";

/**
 * Why a name is not taken for a zone. `no_summer_time`: an offset, under a name or as digits. `alias`: an
 * abbreviation or a legacy name, which libraries read as another place than the one that is meant.
 */
export type ZoneProblem = "unknown" | "no_summer_time" | "alias";

/**
 * Continents and oceans: the first part of every name of a place in the IANA database (theory.html,
 * "Timezone identifiers").
 */
const REGIONS = /^(africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific)\//;

/** Names with one offset all year: `EST`, `Etc/GMT+3`, `UTC+03:00`, `SystemV/EST5`, `+03:00`, `-0500`. */
const OFFSET = /^((est|mst|hst)|(etc\/)?(gmt|utc?)[+-]?\d[\d:]*|systemv\/[a-z]{3}\d+|[+-]\d[\d:]*)$/;

/**
 * null: a place of the IANA database with its region (`Europe/London`, in any case), or `UTC`. Only what is
 * given is judged by this: campaigns that stand in the log keep the zone that they were given
 * (`isKnownZone`). `BST` is Dhaka to the library, and London to who writes it.
 */
export function zoneProblem(timezone: string): ZoneProblem | null {
  const name = zoneKey(timezone);
  if (name === "utc") return null;
  if (REGIONS.test(name)) return isKnownZone(name) ? null : "unknown";
  if (OFFSET.test(name)) return "no_summer_time";
  return isKnownZone(name) ? "alias" : "unknown";
}
