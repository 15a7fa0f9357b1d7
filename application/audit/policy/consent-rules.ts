import { millisOf } from "../../../domain/shared/instant.ts";
import type { PolicyDial } from "./policy-book.ts";

/** A consent may be given with a clock that is ahead of ours. */
const CLOCK_AHEAD_MILLIS = 60_000;

type Consent = PolicyDial["consent"];

/** Whether a consent counts at that moment; one that nobody knows any more (erased) is taken for one. */
export function consentCounts(consent: Consent, millis: number): boolean {
  if (consent === undefined) return true;
  if (consent === null || millisOf(consent.at) > millis + CLOCK_AHEAD_MILLIS) return false;
  return consent.expiresAt === undefined || millis < millisOf(consent.expiresAt);
}

/** Whether the evidence tells the consent that was given, and the dial ends with it. */
export function isTrueConsent(
  { consent, dial }: PolicyDial,
  { value, limit }: { readonly value: unknown; readonly limit: unknown },
): boolean {
  if (consent === undefined) return true;
  if (consent === null || value !== consent.at || limit !== (consent.expiresAt ?? null)) return false;
  return consent.expiresAt === undefined || dial.event.data.dialBy <= consent.expiresAt;
}
