import { openStory, type Story, type StoryColumns } from "../../../../../client/story/fold-story.ts";
import type { FeedEvent } from "../../../live/feed-protocol.ts";

/** A story that grows with the campaign's events. */
export type LiveStory = {
  /**
   * `next`: it was the next event. `known`: the story has it already. `gap`: an event is missing, or this one
   * is not enough to go on.
   */
  readonly add: (event: FeedEvent) => "next" | "known" | "gap";
  /** The current story; later events do not change it. */
  readonly now: () => Story;
};

type Growing = { readonly [Name in keyof StoryColumns["columns"]]: (number | null)[] };

/** `placeOf`: index of a contact in the order of import. */
export function growStory(told: StoryColumns, placeOf: (contactId: string) => number | undefined): LiveStory {
  const kinds = [...told.kinds];
  const reasons = [...told.reasons];
  const { at, kind, contact, reason, value } = told.columns;
  const columns = {
    at: Array.from(at),
    kind: Array.from(kind),
    contact: Array.from(contact),
    reason: Array.from(reason),
    value: Array.from(value),
  } satisfies Growing;
  const optedOut = Array.from(told.optedOut ?? []);
  const times = growTimes(openStory(told).times);
  let last = times.now().at(-1) ?? Date.parse(told.startsAt);
  return {
    add: ({ type, revision, data, occurredAt }) => {
      if (revision < columns.at.length) return "known";
      const contactId = data["contactId"];
      const place = contactId === undefined ? -1 : placeOf(String(contactId));
      // Added contacts get their places from the service.
      if (revision > columns.at.length || place === undefined || IMPORTS.has(type)) return "gap";
      const time = Date.parse(occurredAt);
      if (data["optedOut"] === true) optedOut.push(revision);
      columns.at.push(time - last);
      last = time;
      times.add(time);
      columns.kind.push(placeIn(kinds, type));
      columns.contact.push(place);
      columns.reason.push(placeIn(reasons, reasonOf(type, data)));
      columns.value.push(amountOf(type, data, time));
      return "next";
    },
    // The number of times decides how many rows of the growing columns are valid.
    now: () => ({
      told: { ...told, kinds: [...kinds], reasons: [...reasons], columns, optedOut: [...optedOut] },
      times: times.now(),
    }),
  };
}

/** Times in a growing buffer; arrays that were handed out do not change. */
function growTimes(from: Float64Array) {
  let room = from;
  let count = from.length;
  return {
    add: (time: number) => {
      if (count === room.length) {
        const more = new Float64Array(Math.max(1_024, count * 2));
        more.set(room);
        room = more;
      }
      room[count] = time;
      count += 1;
    },
    now: () => room.subarray(0, count),
  };
}

const IMPORTS = new Set(["ContactsImported", "CampaignCreated", "ContactsAdded", "ImportAbandoned"]);

function placeIn(names: string[], name: string | null): number {
  if (name === null) return -1;
  const place = names.indexOf(name);
  return place >= 0 ? place : names.push(name) - 1;
}

function reasonOf(type: string, data: FeedEvent["data"]): string | null {
  const field = {
    CampaignPaused: "reason",
    ContactSucceeded: "endReason",
    ContactCallbackScheduled: "endReason",
    ContactAttemptFailed: "endReason",
  };
  const name =
    type === "ContactSkipped" ? "outcome" : Object.entries(field).find(([kind]) => kind === type)?.[1];
  const text = name === undefined ? undefined : data[name];
  return typeof text === "string" ? text : null;
}

function amountOf(type: string, data: FeedEvent["data"], time: number): number | null {
  if (type === "ContactDialed" || type === "ContactSucceeded") return Number(data["attempt"]);
  const retryAt = data[type === "ContactCallbackScheduled" ? "callbackAt" : "retryAt"];
  if (type === "ContactAttemptFailed" || type === "ContactCallbackScheduled")
    return typeof retryAt === "string" ? Date.parse(retryAt) - time : null;
  const unknownCall = data["unknownCall"];
  if (type !== "ContactSkipped" || typeof unknownCall !== "object" || unknownCall === null) return null;
  return "contactWas" in unknownCall && unknownCall["contactWas"] !== "dialing" ? 1 : null;
}
