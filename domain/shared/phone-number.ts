import { isPossiblePhoneNumber } from "libphonenumber-js";

/** A number in E.164 form. */
export type PhoneNumber = `+${string}`;

export type PhoneNumberRefusal = "not_e164" | "not_possible";

export type ParsedPhoneNumber =
  | { readonly ok: true; readonly value: PhoneNumber }
  | { readonly ok: false; readonly reason: PhoneNumberRefusal };

const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * E.164 as in docs/api.md §4: the pattern, and a length that is possible in the country (the number
 * need not be assigned).
 */
export function parsePhoneNumber(text: string): ParsedPhoneNumber {
  if (!E164.test(text)) return { ok: false, reason: "not_e164" };
  if (!isPossiblePhoneNumber(text)) return { ok: false, reason: "not_possible" };
  return { ok: true, value: text as PhoneNumber };
}
