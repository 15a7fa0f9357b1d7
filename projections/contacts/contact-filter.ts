import type { ContactFilter, ContactRecord } from "../../application/ports/queries/contact-records.ts";
import { folded } from "../../domain/shared/search-text.ts";

type Named = Pick<ContactRecord, "name" | "phoneNumber">;

/** Digits are a part of the number, anything else the beginning of a word of the name, whatever its case. */
export function matchesText(text: string): (contact: Named) => boolean {
  const digits = text.replaceAll(/[\s+()./-]/g, "");
  if (/^\d+$/.test(digits)) return ({ phoneNumber }) => phoneNumber.includes(digits);
  const wanted = folded(text.trim());
  return ({ name }) => {
    const words = folded(name ?? "");
    return words.startsWith(wanted) || words.includes(` ${wanted}`);
  };
}

/** The same rule as of the read model, of contacts at hand; filters combine. */
export function matchesFilter({
  status,
  endReason,
  text,
}: ContactFilter): (contact: ContactRecord) => boolean {
  const hasText = text === undefined ? () => true : matchesText(text);
  return (contact) =>
    (status === undefined || contact.status === status) &&
    (endReason === undefined || contact.attempts.at(-1)?.endReason === endReason) &&
    hasText(contact);
}
