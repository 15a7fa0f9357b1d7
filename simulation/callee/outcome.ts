import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The outcome of a simulated call. */
export type Outcome =
  | "invalid_number"
  | "busy"
  | "no_answer"
  | "declined"
  | "unreachable"
  | "carrier_error"
  | "machine"
  | "talks"
  | "line_drops"
  | "hangs_up"
  | "rings_for_ever"
  | "never_hangs_up"
  | "scrambled"
  | "opts_out_by_word"
  | "opts_out_by_key"
  | "asks_for_a_call"
  | "agrees";

/**
 * +1 500 555 00NN have fixed outcomes (docs/api.md §9). That of 09 depends on how often
 * it was dialled before.
 */
const MAGIC: Readonly<Record<string, Outcome>> = {
  "01": "invalid_number",
  "02": "busy",
  "03": "no_answer",
  "04": "declined",
  "05": "machine",
  "06": "talks",
  "07": "carrier_error",
  "08": "line_drops",
  "10": "rings_for_ever",
  "11": "never_hangs_up",
  "12": "scrambled",
  "13": "opts_out_by_word",
  "14": "asks_for_a_call",
  "15": "opts_out_by_key",
  "16": "agrees",
};

/**
 * All of +1 500 556 NNNN answer and hang up at once: enough of them for a campaign of 10,000 that only uses
 * the line.
 */
const HANGING_UP = /^\+1500556\d{4}$/;

/** Shares of all other numbers; they add up to 1. */
const SHARES: readonly (readonly [Outcome, number])[] = [
  ["talks", 0.62],
  ["no_answer", 0.13],
  ["busy", 0.09],
  ["machine", 0.06],
  ["declined", 0.04],
  ["unreachable", 0.02],
  ["line_drops", 0.02],
  ["carrier_error", 0.01],
  ["invalid_number", 0.01],
];

/** `dialsBefore`: how often the carrier's journal already has this number. */
export function outcomeOf(to: PhoneNumber, dialsBefore: number, random: SeededRandom): Outcome {
  const magic = /^\+150055500(\d\d)$/.exec(to)?.[1];
  if (magic === "09") return dialsBefore === 0 ? "busy" : "talks";
  const onPurpose = magic === undefined ? undefined : MAGIC[magic];
  if (onPurpose !== undefined) return onPurpose;
  if (HANGING_UP.test(to)) return "hangs_up";
  let left = random();
  for (const [outcome, share] of SHARES) {
    left -= share;
    if (left < 0) return outcome;
  }
  return "talks";
}
