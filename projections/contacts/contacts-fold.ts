import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { ContactId, ImportId } from "../../domain/shared/ids.ts";
import {
  type ContactFacts,
  type ContactProgress,
  contactAfterCancel,
  contactRecord,
  factsOf,
  isContactEvent,
  projectContact,
  UNCALLED,
  type UnjudgedContact,
} from "./contact-row.ts";

type Imported = { readonly id: ContactId; readonly facts: ContactFacts };

/**
 * The contacts of one campaign folded in memory, with the same rows as the read model. The fold
 * owns and changes it.
 */
export type FoldedContacts = {
  readonly open: Map<ImportId, Imported[]>;
  readonly sealed: Imported[];
  readonly progress: Map<ContactId, ContactProgress>;
};

export function noContacts(): FoldedContacts {
  return { open: new Map(), sealed: [], progress: new Map() };
}

export function contactAfterEvent(state: FoldedContacts, recorded: RecordedEvent): void {
  const { event, revision } = recorded;
  if (isContactEvent(event)) {
    const after = projectContact(state.progress.get(event.data.contactId), recorded);
    if (after !== undefined) state.progress.set(event.data.contactId, after);
    return;
  }
  switch (event.type) {
    case "ContactsImported": {
      const open = state.open.get(event.data.importId) ?? [];
      state.open.set(event.data.importId, open);
      for (const contact of event.data.contacts) {
        open.push({ id: contact.contactId, facts: factsOf(contact, event.data.at) });
        state.progress.set(contact.contactId, { ...UNCALLED, revision });
      }
      return;
    }
    case "CampaignCreated":
    case "ContactsAdded":
      state.sealed.push(...(state.open.get(event.data.importId) ?? []));
      state.open.delete(event.data.importId);
      return;
    case "ImportAbandoned":
      state.open.delete(event.data.importId);
      return;
    case "CampaignCancelled":
      for (const { id } of state.sealed) {
        const before = state.progress.get(id);
        if (before !== undefined) state.progress.set(id, contactAfterCancel(before, revision));
      }
      return;
    case "CampaignDeleted":
      state.open.clear();
      state.sealed.length = 0;
      state.progress.clear();
      return;
    default:
      return;
  }
}

export function contactsInOrder({ sealed, progress }: FoldedContacts): UnjudgedContact[] {
  return sealed.flatMap(({ id, facts }) => {
    const row = progress.get(id);
    return row === undefined ? [] : [contactRecord(id, facts, row)];
  });
}
