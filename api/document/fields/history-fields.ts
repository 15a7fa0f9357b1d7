import type { FieldTable } from "./field-table.ts";

const CONTACT = {
  "contacts.campaignId": "Id of its campaign",
  "contacts.contactId": "Id of the contact",
  "contacts.name": "Name of the contact; null: none was given",
  "contacts.status": "How far the campaign has come with it",
};

/** Search, history of a number, and counts of calls over time. */
export const HISTORY_FIELDS: readonly FieldTable[] = [
  {
    of: ["SearchHit"],
    fields: {
      id: "Id of what was found",
      title: "What a person knows it by: its name, its number, or both",
      campaignId: "Of a contact, and of a call of a campaign: the campaign",
      at: "When it was made; ISO 8601, UTC",
    },
  },
  {
    of: ["SearchAnswer"],
    fields: {
      campaigns: "Campaigns with this name",
      contacts: "Contacts with this name or number",
      calls: "Calls to this number, or to a contact of this name",
      assistants: "Assistants with this name",
      squads: "Squads with this name",
      phoneNumbers: "Numbers to call from, with these digits or this label",
    },
  },
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
