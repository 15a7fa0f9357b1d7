export const WARNING_CODES = [
  "credits_short",
  "never_open",
  "no_call_window",
  "placeholder_too_long",
  "placeholder_unclosed",
  "placeholder_unfilled",
  "retries_declined",
  "timezone_defaulted",
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** What is probably not what somebody wanted, and never a refusal (docs/api.md §12). */
export type CampaignWarning = {
  readonly code: WarningCode;
  readonly message: string;
  /** Contacts that it is about. */
  readonly count?: number;
  /** Where it arises in the request that made the campaign. */
  readonly path?: readonly string[];
  /** With credits_short, in credits. */
  readonly needed?: number;
  readonly available?: number;
};

export function contactsOf(count: number): string {
  return count === 1 ? "1 contact" : `${count} contacts`;
}
