import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_BODIES } from "../../contract/webhook-body.ts";
import { ALL_KINDS, CAMPAIGN_KINDS } from "../../domain/webhook/kinds.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, campaignBody, made } from "./support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const WEBHOOK = "/api/v1/webhook";
const FAILS = "+15005550002";
const ANSWERS = "+15005550006";

/** docs/api.md §13: what happens to a campaign, as its owner's receiver hears it. */
describe("webhooks of campaigns", () => {
  let service: TestService;
  let user: ApiUser;
  let receiver: Server;
  let url: string;
  let ended: string;
  let cancelled: string;
  /** Bodies as they came, the first of each event. */
  const received = new Map<string, string>();

  beforeAll(async () => {
    service = await startTestService({ SIMULATOR_MINUTE_MS: "50" });
    user = await service.newOwner();
    receiver = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const id = String(request.headers["x-service-event-id"]);
      if (!received.has(id)) received.set(id, body);
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await put({ events: ALL_KINDS });
    await runTwoCampaigns();
    await eventually("every webhook", () => received.size === 9);
  }, 120_000);
  afterAll(async () => {
    receiver.close();
    await service.stop();
  });

  const put = (changes: object) => user.send("PUT", WEBHOOK, { body: { url, enabled: true, ...changes } });
  const bodies = () => [...received.values()].map((body) => JSON.parse(body));
  const told = (id: string) =>
    bodies()
      .filter(({ event, data }) => event.startsWith("campaign.") && data.campaign.id === id)
      .map(({ event, data }) => [event, data.campaign.status, data.reason]);

  async function runTwoCampaigns(): Promise<void> {
    const ready = await callable(user);
    const contacts = [{ phoneNumber: ANSWERS }, { phoneNumber: FAILS }];
    const body = campaignBody(ready, {
      contacts,
      maxRetries: 1,
      retryIntervalMins: 1,
      metadata: { order: 7 },
    });
    ended = (await made(user, CAMPAIGNS, body)).campaign.id;
    await user.send("POST", `${CAMPAIGNS}/${ended}/start`);
    await eventually("its end", async () => {
      const { body: now } = await user.send("GET", `${CAMPAIGNS}/${ended}`);
      return now.data.campaign.status === "COMPLETED";
    });
    const night = { callWindowStart: (new Date().getUTCHours() + 5) % 24, timezone: "UTC" };
    const closed = { ...night, callWindowEnd: (night.callWindowStart + 1) % 24 };
    cancelled = (await made(user, CAMPAIGNS, campaignBody(ready, closed))).campaign.id;
    for (const command of ["start", "cancel"])
      await user.send("POST", `${CAMPAIGNS}/${cancelled}/${command}`);
  }

  it("tell each campaign's events in their order, with the record of that moment and the reason", () => {
    expect(told(ended)).toEqual([
      ["campaign.started", "RUNNING", null],
      ["campaign.completed", "COMPLETED", null],
    ]);
    expect(told(cancelled)).toEqual([
      ["campaign.started", "RUNNING", null],
      ["campaign.paused", "PAUSED", "outside_call_window"],
      ["campaign.cancelled", "CANCELLED", null],
    ]);
    expect(bodies().map(({ event }) => event)).toContain("call.ended");
  });

  it("have exactly the documented fields", () => {
    for (const body of bodies()) expect(EVENT_BODIES.get(body.event)?.parse(body)).toEqual(body);
  });

  /** What the campaign's own events tell: outcomes of its calls come later, holds end without an event. */
  const ownOf = ({ statistics: { outcomes: _later, held: _now, ...statistics }, ...data }: Wire) => ({
    ...data,
    statistics,
  });

  it("say in the end what the API says, record and statistics", async () => {
    const last = bodies().find(({ event }) => event === "campaign.completed");
    const { body } = await user.send("GET", `${CAMPAIGNS}/${ended}`);
    expect(last.data).toMatchObject({
      ...ownOf(body.data),
      reason: null,
      occurredAt: body.data.campaign.completedAt,
    });
    const first = bodies().find(({ data }) => data.campaign?.id === ended);
    const at = first.data.occurredAt;
    const then = await user.send("GET", `${CAMPAIGNS}/${ended}?at=${at}`);
    expect(first.data).toMatchObject(ownOf(then.body.data));
  });

  it("are found by their kind among the deliveries", async () => {
    const { body } = await user.send("GET", `${WEBHOOK}/deliveries?event=campaign.paused`);
    expect(body.data).toMatchObject([{ event: "campaign.paused", callId: null, campaignId: cancelled }]);
    const wrong = await user.send("GET", `${WEBHOOK}/deliveries?event=campaign.created`);
    expect(wrong.status).toBe(400);
  });

  it.each(ALL_KINDS)("of the kind %s can be tested", async (event) => {
    const { status, body } = await user.send("POST", `${WEBHOOK}/test`, { body: { event } });
    expect([status, body.data.status]).toEqual([200, 200]);
    const sent = JSON.parse(body.data.request.body);
    expect(EVENT_BODIES.get(event)?.parse(sent)).toEqual(sent);
    received.delete(sent.data.eventId);
  });

  it("are sent again by a range replay as the very same bytes, also when nothing was ever queued", async () => {
    const before = new Map([...received].filter(([, body]) => JSON.parse(body).data.campaign !== undefined));
    const database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    for (const table of ["work.webhook_deliveries", "work.webhook_messages"])
      await database.query(`delete from ${table}`);
    await database.end();
    received.clear();
    const range = {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date(Date.now() + 1_000).toISOString(),
    };
    const replay = async (changes: object, key: string) => {
      const headers = { "idempotency-key": key };
      return (await user.send("POST", `${WEBHOOK}/replays`, { body: { ...range, ...changes }, headers })).body
        .data;
    };
    expect(await replay({ events: CAMPAIGN_KINDS }, "campaigns")).toEqual({ deliveries: 5 });
    await eventually("every webhook again", () => received.size === 5);
    expect(received).toEqual(before);
    expect(told(cancelled).map(([event]) => event)).toEqual([
      "campaign.started",
      "campaign.paused",
      "campaign.cancelled",
    ]);
    expect(await replay({ events: ["campaign.cancelled"], campaignId: ended }, "one")).toEqual({
      deliveries: 0,
    });
    expect(await replay({}, "all")).toEqual({ deliveries: 9 });
  });

  it("are not sent to an endpoint that names no kinds; naming none at all is refused", async () => {
    expect((await put({})).body.data.events).toEqual(["call.started", "call.ended"]);
    const { status, body } = await put({ events: [] });
    expect([status, body.error.code, body.error.details[0].path]).toEqual([
      400,
      "VALIDATION_ERROR",
      ["events"],
    ]);
    expect((await put({ events: [...ALL_KINDS, "call.ended"] })).status).toBe(400);
    const { body: list } = await user.send("GET", WEBHOOK);
    expect(list.data.events).toEqual(["call.started", "call.ended"]);
  });
});
