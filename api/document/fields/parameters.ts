/**
 * Path and query parameters by name; `<operation>.<name>` takes precedence, for a name
 * with a special meaning.
 */
export const PARAMETERS: Readonly<Record<string, string>> = {
  id: "Id of the record",
  callId: "Id of the call",
  contactId: "Id of the contact",
  handoffId: "Id of the handoff",
  memberId: "Id of the member",
  toolId: "Id of the tool",
  campaignId: "Only what belongs to this campaign",
  name: "Name of the secret: A-Z, 0-9 and _",
  phoneNumber: "The number, E.164, with its + as %2B or as it is",
  limit: "Number of rows on a page",
  cursor: "The nextCursor of the page before",
  status: "Only those with this status",
  event: "Only this kind of event",
  at: "As it stood at this time: ISO 8601 with offset",
  q: "3 to 100 characters: digits of a number, or the beginning of a word of a name",
};
