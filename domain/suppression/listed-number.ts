import { NUMBER_LENGTHS } from "./number-lengths.ts";

/** How long the national numbers behind a calling code are, as sets of bits by length. */
type Plan = {
  readonly sure: number;
  readonly unsure: number;
  /** What may be dialled before the number at home; null: nothing. */
  readonly prefix: RegExp | null;
};

const PLANS: readonly (Plan | undefined)[] = Object.entries(NUMBER_LENGTHS).reduce<(Plan | undefined)[]>(
  (plans, [code, row]) => {
    const [sure = "", unsure = "", prefix = ""] = row.split(";");
    plans[Number(code)] = {
      sure: bitsOf(sure),
      unsure: bitsOf(unsure),
      prefix: prefix === "" ? null : new RegExp(prefix, "y"),
    };
    return plans;
  },
  Array.from({ length: 1000 }),
);

function bitsOf(lengths: string): number {
  return lengths
    .split(" ")
    .reduce((bits, length) => (length === "" ? bits : bits | (1 << Number(length))), 0);
}

const E164 = /^\+[1-9]\d{6,14}$/;
const ZERO = 0x30;

/**
 * The digits of an E.164 number as one number, by the same rule as `parsePhoneNumber`, a hundred times as
 * fast: by the lengths that its calling code allows. "ask": that alone does not tell it, because its
 * countries differ, or a prefix of home may stand in it.
 */
export function listedNumber(text: string): number | "not_e164" | "not_possible" | "ask" {
  if (!E164.test(text)) return "not_e164";
  let code = 0;
  for (let digits = 1; digits <= 3; digits += 1) {
    code = 10 * code + text.charCodeAt(digits) - ZERO;
    const plan = PLANS[code];
    if (plan !== undefined) return byPlan(text, plan, digits + 1);
  }
  return "not_possible";
}

/** `start`: the place of the national number. */
function byPlan(
  text: string,
  { sure, unsure, prefix }: Plan,
  start: number,
): ReturnType<typeof listedNumber> {
  if (prefix !== null) {
    prefix.lastIndex = start;
    if (prefix.test(text) && prefix.lastIndex > start) return "ask";
  }
  const length = 1 << (text.length - start);
  if ((sure & length) !== 0) return Number(text.slice(1));
  return (unsure & length) === 0 ? "not_possible" : "ask";
}
