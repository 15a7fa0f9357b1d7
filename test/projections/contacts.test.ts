import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContactFilter, Queries } from "../../application/ports/queries.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import {
  at,
  campaignId,
  contact,
  created,
  dialed,
  failed,
  running,
  succeeded,
} from "../domain/campaign/example-campaign.ts";
import { callEnd, callRequest, ringing } from "./example-events.ts";
import type { HistoryEvent } from "./random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const OWNER: OwnerId = "usr_1";
const ALL = { limit: 50, after: null };

let world: ReadWorld;
let queries: Queries;
let happened: (events: readonly HistoryEvent[]) => Promise<void>;

async function open(): Promise<void> {
  world = await openReadWorld();
  const models = world.start();
  queries = queriesOf(world, models);
  happened = async (events) => {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  };
}

const inCampaign = (events: readonly CampaignEvent[]): HistoryEvent[] =>
  events.map((event) => ({ stream: `campaign-${campaignId}`, owner: OWNER, event }));

const shown = async (id: "ctc_1" | "ctc_2" | "ctc_3" | "ctc_4" | "ctc_5") => {
  const found = await queries.contact(OWNER, campaignId, id);
  if (typeof found === "string") throw new Error(found);
  // What the log tells is the same, but for what only the call's own row knows.
  expect(await queries.contactFromLog(OWNER, campaignId, id)).toMatchObject({ id, status: found.status });
  return found;
};

describe("a contact", () => {
  beforeAll(async () => {
    await open();
    const people = [
      contact(1, { name: "Ayşe Öz" }),
      contact(2, { name: "Bob Özil" }),
      contact(3),
      contact(4, { name: "4you Ltd" }),
      contact(5),
    ];
    const callId = "call_1";
    const request = { callId, owner: OWNER, campaignId, contactId: "ctc_1", attempt: 1, at: at(2) } as const;
    const call = [callRequest(request), ringing(callId, at(3), "r")];
    await happened([
      ...inCampaign([...running(people), dialed(1), dialed(2), dialed(3)]),
      ...call.map((event) => ({ stream: `call-${callId}`, owner: OWNER, event })),
      ...inCampaign([failed(2, at(360)), succeeded(3)]),
    ]);
  });
  afterAll(() => world.close());

  it("in a call shows what its call is, and the call's end before the campaign has told it", async () => {
    const live = async () => (await shown("ctc_1")).attempts;
    const attempt = { attempt: 1, callId: "call_1", startedAt: at(2) };
    const open = { endedAt: null, endReason: null, durationSeconds: null, cost: null };
    expect(await live()).toEqual([{ ...attempt, ...open, status: "ringing" }]);
    const end = callEnd("call_1", at(40), "customer_ended", 30);
    await happened([{ stream: "call-call_1", owner: OWNER, event: end }]);
    const ended = { endedAt: at(40), endReason: "customer_ended", durationSeconds: 30, cost: 1.2345 };
    expect(await live()).toEqual([{ ...attempt, ...ended, status: "completed" }]);
    const page = await queries.contacts(OWNER, campaignId, {}, ALL);
    expect(page?.rows[0]?.attempts).toEqual(await live());
    expect((await shown("ctc_1")).status).toBe("dialing");
  });

  it("whose attempt ended shows the end that the campaign told, and when it is called again", async () => {
    const { status, nextAttemptAt, attempts } = await shown("ctc_2");
    expect([status, nextAttemptAt]).toEqual(["waiting_retry", at(360)]);
    const end = { endedAt: at(60), status: "failed", endReason: "busy", durationSeconds: null, cost: null };
    expect(attempts).toEqual([{ attempt: 1, callId: "call_2", startedAt: at(2), ...end }]);
    expect(await shown("ctc_3")).toMatchObject({
      status: "succeeded",
      nextAttemptAt: null,
      attempts: [{ endedAt: at(60), status: "completed", endReason: "customer_ended", durationSeconds: 30 }],
    });
    expect(await shown("ctc_4")).toMatchObject({ status: "pending", attempts: [], createdAt: at(-2) });
  });

  it("is found by its status, the end of its last attempt, its number and its name, all of them at once", async () => {
    const ids = async (filter: ContactFilter) =>
      (await queries.contacts(OWNER, campaignId, filter, ALL))?.rows.map(({ id }) => id);
    expect(await ids({ endReason: "busy" })).toEqual(["ctc_2"]);
    expect(await ids({ endReason: "no_answer" })).toEqual([]);
    expect(await ids({ text: "oz" })).toEqual(["ctc_1", "ctc_2"]);
    expect(await ids({ text: "ozi" })).toEqual(["ctc_2"]);
    expect(await ids({ text: "zil" })).toEqual([]);
    expect(await ids({ text: "(010) 3" })).toEqual(["ctc_3"]);
    expect(await ids({ text: "4YOU l" })).toEqual(["ctc_4"]);
    expect(await ids({ text: "oz", status: "dialing" })).toEqual(["ctc_1"]);
    expect(await ids({ text: "oz", status: "waiting_retry", endReason: "busy" })).toEqual(["ctc_2"]);
    expect(await ids({ status: "pending" })).toEqual(["ctc_4", "ctc_5"]);
  });

  it("of a cancelled campaign is skipped, or failed when it waited; a live one keeps its call", async () => {
    const data = { campaignId, hangUpActiveCalls: false, at: at(70) };
    await happened(inCampaign([{ type: "CampaignCancelled", data }]));
    const fates = (await queries.contacts(OWNER, campaignId, {}, ALL))?.rows.map(
      ({ status, nextAttemptAt }) => [status, nextAttemptAt],
    );
    expect(fates).toEqual([
      ["dialing", null],
      ["failed", null],
      ["succeeded", null],
      ["skipped", null],
      ["skipped", null],
    ]);
    expect(await queries.campaign(OWNER, campaignId)).toMatchObject({
      campaign: { status: "CANCELLED", activeCalls: 1, failedCalls: 1, skippedContacts: 2, pendingCalls: 0 },
      statistics: { waitingRetry: 0, successfulCalls: 1, attempts: 3, byEndReason: { busy: 1 } },
    });
  });
});

describe("a campaign's record", () => {
  const record = async (settings: Partial<CampaignSettings>) => {
    await open();
    await happened(inCampaign(created([contact(1)], settings)));
    const found = await queries.campaign(OWNER, campaignId);
    await world.close();
    return found?.campaign;
  };

  it("has the hours, minutes, days and dates of its window", async () => {
    const days = [1, 2, 3];
    const window = { start: 9, end: 17, startMinute: 30, endMinute: 45, days, excludedDates: ["2026-12-25"] };
    expect(await record({ window, startAt: at(500) })).toMatchObject({
      callWindowStart: 9,
      callWindowEnd: 17,
      callWindowStartMinute: 30,
      callWindowEndMinute: 45,
      callWindowDays: days,
      callWindowExcludedDates: ["2026-12-25"],
      startAt: at(500),
    });
  });

  it("has no hours where a window is days alone", async () => {
    expect(await record({ window: { start: 0, end: 0, days: [6, 7] } })).toMatchObject({
      callWindowStart: null,
      callWindowEnd: null,
      callWindowStartMinute: 0,
      callWindowEndMinute: 0,
      callWindowDays: [6, 7],
      callWindowExcludedDates: [],
      startAt: null,
    });
  });
});

describe("active calls", () => {
  it("are pages, newest first, without a gap or a repeat, and end with the last", async () => {
    await open();
    const ids = ["call_1", "call_2", "call_3", "call_4", "call_5"] as const;
    const requests = ids.map((callId) => ({
      stream: `call-${callId}`,
      owner: OWNER,
      event: callRequest({ callId, owner: OWNER, campaignId: null, contactId: null, attempt: 1, at: at(0) }),
    })) satisfies HistoryEvent[];
    await happened(requests);
    const pages: (readonly string[])[] = [];
    let after: (typeof ids)[number] | null | undefined = null;
    while (after !== undefined) {
      const page = await queries.activeCalls(OWNER, { limit: 2, after });
      pages.push(page.rows.map(({ callId }) => callId));
      after = ids.find((id) => id === page.next);
    }
    await world.close();
    expect(pages).toEqual([["call_5", "call_4"], ["call_3", "call_2"], ["call_1"]]);
  });
});
