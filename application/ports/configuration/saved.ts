/**
 * Answer of a write that configuration can refuse. Refusals are values: `reason` names the cause, and the API
 * maps it to a code. Rejections mean only that the database could not be reached.
 */
export type Saved<Value, Refusal> =
  | { readonly saved: true; readonly value: Value }
  | ({ readonly saved: false } & Refusal);

/**
 * `created` false: the record existed already (a retry of the request after a crash, or a repeat) and
 * is returned unchanged.
 */
export type Made<Value> = { readonly created: boolean; readonly value: Value };
