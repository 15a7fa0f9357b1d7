export const en = {
  title: "Event log",
  told: "Everything that happens to calls, campaigns and squads, the newest first.",
  empty: "Nothing has happened yet.",
  "empty.filtered": "No event is like that.",
  types: "Kinds",
  "types.hint": "Names of events, with commas between them",
  stream: "Of what",
  "stream.hint": "Id of a call, a campaign or a squad",
  "thing.call": "Call",
  "thing.campaign": "Campaign",
  "thing.squad": "Squad",
  "thing.open": "Open its page",
  held: "{count} new events. Show them",
  bad: "These are no names of events.",
} as const;
export type EventsKey = keyof typeof en;
