import type { ContactFilter } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import { folded } from "../../domain/shared/search-text.ts";

type Named = Pick<ContactRecord, "name" | "phoneNumber">;
type Standing = Pick<ContactRecord, "status" | "attempts" | "optedOut" | "nextAttemptCause">;

/** Digits match a part of the number, other text the beginning of a word of the name, ignoring case. */
export function matchesText(text: string): (contact: Named) => boolean {
  const digits = text.replaceAll(/[\s+()./-]/g, "");
  if (/^\d+$/.test(digits)) return ({ phoneNumber }) => phoneNumber.includes(digits);
  const wanted = folded(text.trim());
  return ({ name }) => {
    const words = folded(name ?? "");
    return words.startsWith(wanted) || words.includes(` ${wanted}`);
  };
}

/** The rule of the read model for contacts in memory, but for what was brought home; all must match. */
export function matchesFilter(filter: ContactFilter): (contact: Named & Standing) => boolean {
  const hasText = filter.text === undefined ? () => true : matchesText(filter.text);
  const stands = matchesProgress(filter);
  return (contact) => stands(contact) && hasText(contact);
}

/** The part that depends on what happened to the contact. */
export function matchesProgress({
  status,
  endReason,
  optedOut,
  nextAttemptCause,
}: ContactFilter): (contact: Standing) => boolean {
  return (contact) =>
    (status === undefined || contact.status === status) &&
    (optedOut === undefined || contact.optedOut === optedOut) &&
    (nextAttemptCause === undefined || contact.nextAttemptCause === nextAttemptCause) &&
    (endReason === undefined || contact.attempts.at(-1)?.endReason === endReason);
}
