import type { RejectedContact, RejectedContacts } from "../../domain/campaign/events.ts";
import type { ImportId } from "../../domain/shared/ids.ts";
import type { ContactInput, DuplicateContacts } from "./screen-contacts.ts";

export type AddContactsRequest = {
  /** The id that the Idempotency-Key row holds; null without a key. An import that is sealed already is answered as it is. */
  readonly reservedImportId: ImportId | null;
  readonly contacts: readonly ContactInput[];
  readonly refusedRows: readonly RejectedContact[];
  readonly skipDuplicates: boolean;
};

export type ContactsAddedAnswer = {
  readonly added: number;
  readonly rejectedContacts: RejectedContacts;
  readonly duplicateContacts: DuplicateContacts;
};
