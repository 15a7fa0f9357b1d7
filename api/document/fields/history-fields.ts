import type { FieldTable } from "./field-table.ts";

const CONTACT = {
  "contacts.campaignId": "Id of its campaign",
  "contacts.contactId": "Id of the contact",
  "contacts.name": "Name of the contact; null: none was given",
  "contacts.status": "How far the campaign has come with it",
};

/** History of a number. */
export const HISTORY_FIELDS: readonly FieldTable[] = [
  {
    of: ["NumberHistory"],
    fields: {
      phoneNumber: "The number as it was asked for",
      suppression: "Its entry of the do-not-call list; null: it has none",
      "suppression.reason": "Why it is not called; null: nobody said",
      "suppression.createdAt": "Since when it is on the list; ISO 8601, UTC",
      contacts: "Contacts with this number, newest first",
      ...CONTACT,
      calls: "Calls to this number, newest first",
      verdicts: "Why each contact is as it is now, and which imports refused the number",
    },
  },
];
