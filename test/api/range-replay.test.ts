import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, campaignBody, endedCall, made } from "./support/things.ts";

const REPLAYS = "/api/v1/webhook/replays";
const ANSWERS = "+15005550006";
const FAILS = "+15005550002";

/** docs/api.md §7: a range replay also sends what ended while no endpoint was set. */
describe("a range replay", () => {
  let service: TestService;
  let user: ApiUser;
  let receiver: Server;
  let database: pg.Client;
  /** Bodies as they came, by event id. */
  const received = new Map<string, string[]>();
  let ordinary: ReadonlyMap<string, string[]>;
  let campaignId: string;

  beforeAll(async () => {
    service = await startTestService({ SIMULATOR_MINUTE_MS: "50" });
    database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    receiver = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const id = String(request.headers["x-service-event-id"]);
      received.set(id, [...(received.get(id) ?? []), body]);
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    user = await service.newOwner();
    await put();
    ({ campaignId } = await callsOf(user));
    // One end for each of seven calls, and a start for the two that were answered.
    await eventually("all deliveries", () => received.size === 9);
    ordinary = new Map(received);
    await forgetEverything();
    received.clear();
  }, 120_000);
  afterAll(async () => {
    await database.end();
    receiver.close();
    await service.stop();
  });

  const put = async (events: object = {}) => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    expect(
      (await user.send("PUT", "/api/v1/webhook", { body: { url, enabled: true, ...events } })).status,
    ).toBe(200);
  };
  /** As if no endpoint had been set when the calls ended. */
  const forgetEverything = async () => {
    for (const table of ["work.webhook_deliveries", "work.webhook_messages", "config.webhook_endpoints"])
      await database.query(`delete from ${table}`);
    await put();
  };
  const today = () => ({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 1_000).toISOString(),
  });
  const replay = async (who: ApiUser, range: object, id: string): Promise<Wire> => {
    const headers = { "idempotency-key": id };
    return (await who.send("POST", REPLAYS, { body: { ...today(), ...range }, headers })).body.data;
  };

  it("sends what was never queued as the very bytes of an ordinary delivery, once for each id", async () => {
    expect(await replay(user, {}, "all")).toEqual({ deliveries: 9 });
    await eventually("every event", () => received.size === 9);
    expect(new Map(received)).toEqual(ordinary);
    expect(await replay(user, {}, "all")).toEqual({ deliveries: 9 });
    const list = await user.send("GET", "/api/v1/webhook/deliveries?limit=200");
    expect(list.body.data).toHaveLength(9);
  });

  it("keeps to its kinds, its campaign, its time and its owner", async () => {
    await forgetEverything();
    expect(await replay(user, { events: ["call.started"] }, "starts")).toEqual({ deliveries: 2 });
    expect(await replay(user, { campaignId }, "campaign")).toEqual({ deliveries: 6 });
    const past = new Date(Date.now() - 600_000).toISOString();
    expect(await replay(user, { to: past }, "past")).toEqual({ deliveries: 0 });
    expect(await replay(await service.newOwner(), {}, "other")).toEqual({ deliveries: 0 });
  });

  it("makes and sends only the kinds that the endpoint takes", async () => {
    await forgetEverything();
    await put({ events: ["call.started"] });
    expect(await replay(user, {}, "endpoint")).toEqual({ deliveries: 2 });
    const stored = await database.query("select distinct event from work.webhook_messages");
    expect(stored.rows).toEqual([{ event: "call.started" }]);
  });
});

/** Two single calls, and a campaign with an answered contact and one that is called four times. */
async function callsOf(user: ApiUser): Promise<{ campaignId: string }> {
  const ready = await callable(user);
  for (const to of [ANSWERS, FAILS]) {
    const started = await user.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to, metadata: { to } },
    });
    await endedCall(user, started.body.callId);
  }
  const contacts = [
    { phoneNumber: ANSWERS, name: "Ada", customData: { plan: "gold" } },
    { phoneNumber: FAILS, name: "Bea" },
  ];
  const body = campaignBody(ready, { contacts, maxRetries: 3, retryIntervalMins: 1 });
  const { campaign } = await made(user, "/api/v1/campaigns", body);
  await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
  await eventually("its end", async () => {
    const { body: now } = await user.send("GET", `/api/v1/campaigns/${campaign.id}`);
    return now.data.campaign.status === "COMPLETED";
  });
  return { campaignId: campaign.id };
}
