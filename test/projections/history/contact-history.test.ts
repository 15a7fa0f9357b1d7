import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Position } from "../../../application/ports/event-store.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import type { HistoryRecord } from "../../../contract/history.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { at, campaignId, contact, dialed, failed, running } from "../../domain/campaign/example-campaign.ts";
import { callEnd, callRequest, message, ringing } from "../example-events.ts";
import type { HistoryEvent } from "../random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../read-world.ts";

const OWNER = "usr_1";
const OTHER = "usr_2";

let world: ReadWorld;
let queries: Queries;
beforeAll(async () => {
  world = await openReadWorld();
  queries = queriesOf(world, world.start());
  const inCampaign = (event: HistoryEvent["event"]): HistoryEvent => ({
    ...{ stream: `campaign-${campaignId}`, owner: OWNER, event },
  });
  const ofCall = (callId: CallId, event: HistoryEvent["event"], owner: "usr_1" | "usr_2" = OWNER) => ({
    ...{ stream: `call-${callId}`, owner, event },
  });
  const request = (callId: CallId, attempt: number, owner: "usr_1" | "usr_2" = OWNER) =>
    callRequest({ callId, owner, campaignId, contactId: "ctc_1", attempt, at: at(attempt * 100) });
  await world.append([
    ...running([contact(1), contact(2)]).map(inCampaign),
    inCampaign(dialed(1, 1)),
    inCampaign(dialed(2, 2)),
    ofCall("call_1", request("call_1", 1)),
    ofCall("call_2", request("call_2", 1)),
    ofCall("call_1", ringing("call_1", at(101), "r")),
    ofCall("call_2", ringing("call_2", at(102), "r")),
    ofCall("call_1", callEnd("call_1", at(110), "busy", null)),
    inCampaign(failed(1, at(200), 1)),
    inCampaign(dialed(1, 3, 2)),
    ofCall("call_3", request("call_3", 2)),
    // Neither of the campaign nor of its owner.
    ofCall("call_9", request("call_9", 1, OTHER), OTHER),
  ]);
});
afterAll(() => world.close());

const told = ({ stream, type }: HistoryRecord) => `${stream.split("-")[1]} ${type}`;
const STORY = [
  "cmp_1 ContactDialed",
  "call_1 CallRequested",
  "call_1 CallRinging",
  "call_1 CallFailed",
  "cmp_1 ContactAttemptFailed",
  "cmp_1 ContactDialed",
  "call_3 CallRequested",
];

describe("the history of a contact", () => {
  it("has what its campaign and its own calls tell, in the order of the log, page after page", async () => {
    for (const limit of [1, 3, 7, 50]) {
      const seen: string[] = [];
      let after: Position | null = null;
      do {
        const page = await queries.contactEvents(OWNER, campaignId, "ctc_1", { limit, after });
        expect(page?.rows.length).toBeLessThanOrEqual(limit);
        seen.push(...(page?.rows.map(told) ?? []));
        after = page?.next ?? null;
      } while (after !== null);
      expect(seen).toEqual(STORY);
    }
  });

  it("is nobody else's", async () => {
    expect(await queries.contactEvents(OTHER, campaignId, "ctc_1", { limit: 9, after: null })).toBeNull();
  });
});

describe("the history of a stream", () => {
  it("goes on behind a revision, and ends", async () => {
    const page = (after: number | null, limit = 2) => queries.callEvents(OWNER, "call_1", { limit, after });
    expect((await page(null))?.rows.map(told)).toEqual(["call_1 CallRequested", "call_1 CallRinging"]);
    expect((await page(null))?.next).toBe(1);
    expect(await page(1)).toMatchObject({ rows: [{ type: "CallFailed", revision: 2 }], next: null });
    // At the end it is still known, and has no more.
    expect(await page(2)).toEqual({ rows: [], next: null });
    expect(await queries.callEvents("usr_2", "call_1", { limit: 2, after: 2 })).toBeNull();
    expect(await queries.callEvents(OWNER, "call_none", { limit: 2, after: null })).toBeNull();
  });

  it("ends a page behind 4 MiB, so that long texts are read in more pages, and none is left out", async () => {
    const callId = "call_long";
    const words = (index: number) => {
      const event = message(callId, at(5), "r", index);
      if (event.type !== "CallMessageAdded") throw new Error("no message");
      const content = String(index % 10).repeat(300_000);
      return { ...event, data: { ...event.data, message: { ...event.data.message, content } } };
    };
    const request = callRequest({
      callId,
      owner: OWNER,
      campaignId: null,
      contactId: null,
      attempt: 1,
      at: at(0),
    });
    const events = [request, ...Array.from({ length: 20 }, (_, index) => words(index))];
    await world.append(events.map((event) => ({ stream: `call-${callId}`, owner: OWNER, event })));
    const pages: number[][] = [];
    let after: number | null = null;
    do {
      const page = await queries.callEvents(OWNER, callId, { limit: 100, after });
      pages.push(page?.rows.map(({ revision }) => revision) ?? []);
      after = page?.next ?? null;
    } while (after !== null);
    expect(pages.flat()).toEqual(events.map((_, revision) => revision));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.length).toBeLessThan(15);
  });
});
