/** What a value may be. date: `2026-11-27`; datetime: an instant in UTC milliseconds once it is stored. */
export const OUTCOME_TYPES = ["boolean", "string", "number", "integer", "enum", "date", "datetime"] as const;
export type OutcomeType = (typeof OUTCOME_TYPES)[number];

export type OutcomeField = {
  readonly name: string;
  readonly type: OutcomeType;
  /** What the value says; the model reads it. */
  readonly description: string;
  /** What an enum may be; of no other type. */
  readonly values?: readonly string[];
};

/** What an assistant's calls are asked for after their end. */
export type OutcomeSettings = {
  readonly summary: boolean;
  readonly fields: readonly OutcomeField[];
  /** The call succeeded when the value of `field` (boolean or enum) is one of `in`; null: nobody says. */
  readonly success: { readonly field: string; readonly in: readonly (boolean | string)[] } | null;
};

/** Limits of an answer, in bytes of UTF-8. */
export const TEXT_BYTES = 1_000;
export const SUMMARY_BYTES = 2_000;
/** So many messages prove a value; more add nothing. */
export const MOST_EVIDENCE = 20;
