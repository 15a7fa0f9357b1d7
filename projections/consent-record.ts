import type { ConsentRecord } from "../contract/consent.ts";
import type { Consent } from "../domain/policy/policy.ts";

/** undefined: none was given. */
export function consentRecord(consent: Consent | undefined): ConsentRecord | null {
  if (consent === undefined) return null;
  const { source, at, expiresAt = null, reference = null } = consent;
  return { source, at, expiresAt, reference };
}
