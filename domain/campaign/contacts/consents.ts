import type { ConsentTimes } from "../../policy/policy.ts";
import { instantFromMillis, millisOf } from "../../shared/instant.ts";

/**
 * When the contacts of a campaign consented, and from when on that counts no more: milliseconds, by row. A
 * row beyond the end, or with NaN, has no consent; Infinity: it never ends. What was consented to stays in
 * the log.
 */
export type Consents = { readonly at: Float64Array; readonly expires: Float64Array };

export type ConsentMillis = { readonly at: number; readonly expires: number };

/** The times alone, so that no text is kept. */
export function consentMillis({ at, expiresAt }: ConsentTimes): ConsentMillis {
  return {
    at: millisOf(at),
    expires: expiresAt === undefined ? Number.POSITIVE_INFINITY : millisOf(expiresAt),
  };
}

/** With new rows, from `first` on; as before where none of them has one: only consents take room. */
export function withConsents(
  before: Consents | null,
  first: number,
  added: readonly { readonly consent: ConsentMillis | null }[],
): Consents | null {
  if (added.every(({ consent }) => consent === null)) return before;
  const none = () => new Float64Array(first + added.length).fill(Number.NaN);
  const [at, expires] = [none(), none()];
  if (before !== null) {
    at.set(before.at);
    expires.set(before.expires);
  }
  added.forEach(({ consent }, offset) => {
    if (consent === null) return;
    at[first + offset] = consent.at;
    expires[first + offset] = consent.expires;
  });
  return { at, expires };
}

/** null: no consent was given. */
export function consentAt(consents: Consents | null, row: number): ConsentTimes | null {
  const at = consents?.at[row] ?? Number.NaN;
  const expires = consents?.expires[row] ?? Number.NaN;
  if (Number.isNaN(at)) return null;
  const given = { at: instantFromMillis(at) };
  return expires === Number.POSITIVE_INFINITY ? given : { ...given, expiresAt: instantFromMillis(expires) };
}

/** Whether a consent was given that counts then. */
export function consentsThen(consents: Consents | null, row: number, millis: number): boolean {
  return (consents?.expires[row] ?? Number.NaN) > millis;
}
