/**
 * Answer of a write that configuration itself can refuse. Refusals are values: `reason` says which, and the API gives it a code.
 * Everything else rejects only because the database could not be reached.
 */
export type Saved<Value, Refusal> =
  | { readonly saved: true; readonly value: Value }
  | ({ readonly saved: false } & Refusal);

/** `created` false: the record stood already (the retry of a request after a crash, or the same thing again) and is answered as it is. */
export type Made<Value> = { readonly created: boolean; readonly value: Value };
