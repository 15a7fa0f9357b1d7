export const WARNING_CODES = [
  "bad_characters",
  "credits_short",
  "never_open",
  "no_call_window",
  "placeholder_other_form",
  "placeholder_too_long",
  "placeholder_unclosed",
  "placeholder_unfilled",
  "policy_no_consent",
  "policy_on_a_list",
  "policy_zone_unknown",
  "retries_declined",
  "timezone_defaulted",
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** A probable mistake of the user; never a refusal (docs/api.md §12). */
export type CampaignWarning = {
  readonly code: WarningCode;
  readonly message: string;
  /** Number of contacts affected; of bad_characters, the characters. */
  readonly count?: number;
  /** Path of the field in the request that made the campaign. */
  readonly path?: readonly string[];
  /**
   * Only with placeholder_unfilled: the first placeholders that are not filled, and for how
   * many contacts.
   */
  readonly keys?: readonly { readonly name: string; readonly count: number }[];
  /** Only with credits_short, in credits. */
  readonly needed?: number;
  readonly available?: number;
};

export function contactsOf(count: number): string {
  return count === 1 ? "1 contact" : `${count} contacts`;
}
