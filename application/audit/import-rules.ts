import type { ContactsImported } from "../../domain/campaign/events.ts";
import type { ImportId } from "../../domain/shared/ids.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import type { Campaign, CampaignBook } from "./campaign-book.ts";

/** The limit from the seed. */
const MOST_CONTACTS = 10_000;

export function readChunk(
  book: CampaignBook,
  recorded: AuditedEvent<ContactsImported>,
  report: Report,
): void {
  const { importId, firstIndex, contacts } = recorded.event.data;
  if (book.sealed.has(importId))
    report("import-sealed", "A chunk comes after its import was closed", recorded);
  // A chunk is never stored without contacts: it has lost them.
  if (contacts.length === 0) book.erasedChunk ??= recorded;
  if (book.erasedChunk !== null) return;
  const open = book.open.get(importId) ?? [];
  book.open.set(importId, open);
  if (firstIndex !== open.length)
    report("import-sealed", `A chunk begins at ${firstIndex} instead of ${open.length}`, recorded);
  for (const { contactId, phoneNumber, name, customData, timezone } of contacts) {
    open.push({
      contactId,
      phoneNumber,
      name,
      customData,
      timezone,
      standing: "to_call",
      attempts: 0,
      notPlaced: 0,
      callbacks: 0,
      assistantErrors: 0,
      failures: new Map(),
      retryAt: null,
      lastDial: null,
      skip: null,
      ended: null,
    });
  }
}

export function readSeal(
  book: CampaignBook,
  recorded: Campaign,
  seal: { readonly importId: ImportId; readonly contacts: number },
  report: Report,
): void {
  const { importId, contacts } = seal;
  const open = book.open.get(importId) ?? [];
  if (book.sealed.has(importId)) report("import-sealed", "An import is sealed twice", recorded);
  if (book.status === "COMPLETED" || book.status === "CANCELLED")
    report("import-sealed", `Contacts are added to a campaign that is ${book.status}`, recorded);
  if (open.length !== contacts && book.erasedChunk === null)
    report("import-sealed", `A seal over ${contacts} contacts finds ${open.length}`, recorded);
  for (const contact of open) {
    if (book.contacts.has(contact.contactId))
      report("import-sealed", `${contact.contactId} is imported twice`, recorded);
    book.contacts.set(contact.contactId, contact);
  }
  close(book, importId);
  if (book.contacts.size > MOST_CONTACTS)
    report("import-sealed", `The campaign has ${book.contacts.size} contacts`, recorded);
}

export function readAbandoned(
  book: CampaignBook,
  recorded: Campaign,
  importId: ImportId,
  report: Report,
): void {
  if (book.sealed.has(importId)) report("import-sealed", "A sealed import is abandoned", recorded);
  close(book, importId);
}

function close(book: CampaignBook, importId: ImportId): void {
  book.open.delete(importId);
  book.sealed.add(importId);
}
