import { describe, expect, it } from "vitest";
import { foldStory, openStory, type StoryColumns } from "../../client/story/fold-story.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { FeedEvent } from "../../dashboard/src/live/feed-protocol.ts";
import { placesOf } from "../../dashboard/src/pages/campaign/contacts/rows.ts";
import { CALLBACK, OPTED_OUT } from "../../dashboard/src/pages/campaign/states.ts";
import { growStory } from "../../dashboard/src/pages/campaign/story/live-story.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";

const BEGIN = Date.parse("2026-09-01T10:00:00.000Z");
const CONTACTS = ["ctc_a", "ctc_b", "ctc_c"] as const;
/** What the service tells right after the import: the contacts are read, the campaign is made. */
const TOLD: StoryColumns = {
  startsAt: instantFromMillis(BEGIN),
  contacts: CONTACTS.length,
  kinds: ["ContactsImported", "CampaignCreated"],
  reasons: [],
  columns: { at: [0, 5], kind: [0, 1], contact: [-1, -1], reason: [-1, -1], value: [3, 3] },
};
const placeOf = (id: string) => {
  const ids: readonly string[] = CONTACTS;
  const place = ids.indexOf(id);
  return place < 0 ? undefined : place;
};
const event = (revision: number, type: string, data: FeedEvent["data"] = {}): FeedEvent => ({
  position: String(100 + revision),
  stream: "campaign-cmp_1",
  revision,
  type,
  data,
  occurredAt: instantFromMillis(BEGIN + revision * 1_000),
});
const CALLED = [
  event(2, "CampaignStarted"),
  event(3, "ContactDialed", { contactId: "ctc_a", attempt: 1 }),
  event(4, "ContactDialed", { contactId: "ctc_b", attempt: 1 }),
  event(5, "ContactSucceeded", { contactId: "ctc_a", attempt: 1, endReason: "customer_ended" }),
  event(6, "ContactAttemptFailed", { contactId: "ctc_b", endReason: "busy", retryAt: null }),
];

function grown(events: readonly FeedEvent[]) {
  const story = growStory(TOLD, placeOf);
  return { story, told: events.map((each) => story.add(each)) };
}

describe("a story that grows by the events that come", () => {
  it("stands as its events say, at the end and at every moment before", () => {
    const { story, told } = grown(CALLED);
    expect(new Set(told)).toEqual(new Set(["next"]));
    const now = story.now();
    expect(foldStory(now, Number.POSITIVE_INFINITY)).toMatchObject({
      status: "RUNNING",
      counts: [1, 0, 0, 1, 1, 0],
      byEndReason: { customer_ended: 1, busy: 1 },
    });
    expect(foldStory(now, BEGIN + 4_500).counts).toEqual([1, 2, 0, 0, 0, 0]);
    expect([...now.times]).toEqual([...openStory(now.told).times]);
  });

  it("says when a contact is called again whose attempt failed, until it is", () => {
    const retryAt = new Date(BEGIN + 600_000).toISOString();
    const again = event(6, "ContactAttemptFailed", { contactId: "ctc_b", endReason: "busy", retryAt });
    const { story } = grown([...CALLED.slice(0, 4), again]);
    const nextOf = () => foldStory(story.now(), Number.POSITIVE_INFINITY).nextAttemptAt[1];
    expect(nextOf()).toBe(BEGIN + 600_000);
    story.add(event(7, "ContactDialed", { contactId: "ctc_b", attempt: 2 }));
    expect(nextOf()).toBeNaN();
  });

  it("knows who asked never to be called again, from that call on", () => {
    const asked = event(7, "ContactSucceeded", { contactId: "ctc_c", endReason: "busy", optedOut: true });
    const { story } = grown([...CALLED, asked]);
    const moment = (at: number) => foldStory(story.now(), at);
    expect([...moment(BEGIN + 7_000).optedOut]).toEqual([2]);
    expect([...moment(BEGIN + 6_999).optedOut]).toEqual([]);
    const shown = (at: number) => placesOf([], moment(at), null, { status: OPTED_OUT, q: undefined });
    expect([shown(BEGIN + 7_000), shown(BEGIN + 6_999)]).toEqual([[2], []]);
  });

  it("knows who waits for the call that they agreed, until they are called", () => {
    const callbackAt = new Date(BEGIN + 600_000).toISOString();
    const agreed = { contactId: "ctc_b", attempt: 1, endReason: "assistant_ended", callbackAt };
    const { story } = grown([...CALLED.slice(0, 4), event(6, "ContactCallbackScheduled", agreed)]);
    story.add(event(7, "ContactDialed", { contactId: "ctc_b", attempt: 2 }));
    const retryAt = new Date(BEGIN + 900_000).toISOString();
    story.add(event(8, "ContactAttemptFailed", { contactId: "ctc_b", endReason: "busy", retryAt }));
    const moment = (second: number) => foldStory(story.now(), BEGIN + second * 1_000);
    expect([5, 6, 7, 8].map((second) => [...moment(second).callbacks])).toEqual([[], [1], [], []]);
    expect([moment(6).nextAttemptAt[1], moment(6).byEndReason["assistant_ended"]]).toEqual([
      BEGIN + 600_000,
      1,
    ]);
    const shown = (second: number, status: string) =>
      placesOf([], moment(second), null, { status, q: undefined });
    expect([shown(6, CALLBACK), shown(8, CALLBACK), shown(8, "waiting_retry")]).toEqual([[1], [], [1]]);
  });

  it("what was given out is not changed by what comes later", () => {
    const { story } = grown(CALLED.slice(0, 2));
    const early = story.now();
    for (const each of CALLED.slice(2)) story.add(each);
    expect(foldStory(early, Number.POSITIVE_INFINITY).counts).toEqual([2, 1, 0, 0, 0, 0]);
    expect(foldStory(story.now(), Number.POSITIVE_INFINITY).counts).toEqual([1, 0, 0, 1, 1, 0]);
  });

  it("knows what it has, and says where something is missing or cannot be told from the event", () => {
    const [start, dialed] = CALLED;
    if (start === undefined || dialed === undefined) throw new Error("No events");
    expect(grown([start, start]).told).toEqual(["next", "known"]);
    expect(grown([dialed]).told).toEqual(["gap"]);
    expect(grown([event(2, "ContactsAdded", { count: 1 })]).told).toEqual(["gap"]);
    expect(grown([event(2, "ContactDialed", { contactId: "ctc_new", attempt: 1 })]).told).toEqual(["gap"]);
  });
});

describe("the contacts that are shown", () => {
  const people: readonly ContactRecord[] = CONTACTS.map((id, place) => ({
    id,
    phoneNumber: `+1500555000${place}`,
    name: ["Ada", "Bora", null][place] ?? null,
    customData: {},
    timezone: null,
    externalId: null,
    consent: null,
    status: "pending",
    attempts: [],
    nextAttemptAt: null,
    nextAttemptCause: null,
    callbackAt: null,
    hold: null,
    skipReason: null,
    optedOut: false,
    outcome: null,
    createdAt: "2026-09-01T10:00:00.000Z",
  }));
  const moment = foldStory(grown(CALLED).story.now(), Number.POSITIVE_INFINITY);
  const shown = (filter: { status?: string; q?: string }, contacts = people) =>
    placesOf(contacts, moment, null, { status: filter.status, q: filter.q });

  it("all of them are counted before their names have come; whom one searches is found among those who have", () => {
    expect(shown({}, [])).toEqual([0, 1, 2]);
    expect(shown({ status: "failed" }, [])).toEqual([1]);
    expect(shown({ q: "bo" }, people.slice(0, 1))).toEqual([]);
    expect(shown({ q: "bo" })).toEqual([1]);
    expect(shown({ q: "0002" })).toEqual([2]);
    expect(shown({ status: "nothing" })).toEqual([]);
  });

  it("with an A-mark those that stand elsewhere since", () => {
    const since = foldStory(grown(CALLED).story.now(), BEGIN + 4_500);
    expect(placesOf(people, moment, since, { status: undefined, q: undefined })).toEqual([0, 1]);
  });
});
