import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EVENT_BODIES } from "../../contract/webhook-body.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { createNotifications } from "../../infrastructure/postgres/notifications.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { configurationOn } from "../contracts/configuration/configuration-world.ts";
import { openTestPool } from "../support/postgres.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, endedCall } from "./support/things.ts";
import { type VerifiedWebhooks, verifiedWebhooks } from "./support/verified-webhooks.ts";

const LIST = "/api/v1/suppressions";
const WEBHOOK = "/api/v1/webhook";
const ANSWERS = "+15005550006";
const ASKED = "Asked on the call not to be called again";

let service: TestService;
let user: ApiUser;
let pool: pg.Pool;
let webhooks: VerifiedWebhooks;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl, 2);
  user = await service.newOwner();
  webhooks = await verifiedWebhooks(user, ["number.suppressed"]);
});
afterAll(async () => {
  webhooks.close();
  await pool.end();
  await service.stop();
});

const pathOf = (number: string) => `${LIST}/${encodeURIComponent(number)}`;
const toldOf = (number: string) => webhooks.received.filter(({ data }) => data.phoneNumber === number);
const keyOf = async (who: ApiUser) => (await who.send("GET", "/api/v1/api-keys")).body.data[0].id;

/** As the reaction does it that hears a call, in another process. */
async function asksOn(callId: string): Promise<void> {
  const { rows } = await pool.query<{ subject: CallId; owner_id: OwnerId }>(
    "select subject, owner_id from config.subject_keys where subject = $1",
    [callId],
  );
  const [call] = rows;
  if (call === undefined) throw new Error(`${callId} is no call`);
  const notifications = createNotifications(pool, silentLogger);
  const { configuration, clock } = configurationOn({ pool, notifications });
  clock.advance(Date.now() - clock.nowMillis());
  await configuration.optOuts.list({
    ...{ callId: call.subject, owner: call.owner_id, campaignId: null, phoneNumber: ANSWERS },
    ...{ by: "words", messageIndex: 1, saidAt: clock.now() },
  });
  await notifications.close();
}

it("tells who put a number on the list, when and why, also after it was taken off", async () => {
  const number = "+905321112233";
  const before = await user.send("GET", pathOf(number));
  expect([before.status, before.body.error.code]).toEqual([404, "SUPPRESSION_NOT_FOUND"]);
  await user.send("POST", LIST, { body: { phoneNumber: number, reason: "Asked us to stop" } });
  const by = await keyOf(user);
  const entry = { phoneNumber: number, reason: "Asked us to stop", source: "api", callId: null };
  const { body } = await user.send("GET", pathOf(number));
  const line = { action: "listed", reason: entry.reason, source: "api", by, callId: null };
  const { createdAt } = body.data;
  expect(body.data).toEqual({ ...entry, listed: true, createdAt, history: [{ ...line, at: createdAt }] });
  expect((await user.send("GET", LIST)).body.data).toEqual([{ ...entry, createdAt }]);
  expect((await user.send("DELETE", pathOf(number))).status).toBe(200);
  const after = await user.send("GET", pathOf(number));
  const nothing = { reason: null, source: null, callId: null, createdAt: null };
  expect(after.body.data).toMatchObject({ phoneNumber: number, listed: false, ...nothing });
  expect(after.body.data.history).toMatchObject([{ ...line, action: "removed" }, line]);
  expect((await user.send("DELETE", pathOf(number))).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
  expect((await user.send("GET", `${LIST}/nobody`)).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
});

it("shows a number's history to nobody but its owner", async () => {
  await user.send("POST", LIST, { body: { items: [{ phoneNumber: "+905321112244" }] } });
  const other = await service.newOwner();
  expect((await other.send("GET", pathOf("+905321112244"))).status).toBe(404);
  expect((await user.send("GET", pathOf("+905321112244"))).body.data).toMatchObject({
    source: "import",
    history: [{ action: "listed", source: "import" }],
  });
});

it("sends each new entry to an endpoint that asks for it, signed, and again with a replay", async () => {
  const [first, second, third] = ["+905321113301", "+905321113302", "+905321113303"];
  await user.send("POST", LIST, { body: { phoneNumber: first, reason: "By letter" } });
  const items = [{ phoneNumber: first }, { phoneNumber: second }, { phoneNumber: third, reason: "x" }];
  await user.send("POST", LIST, { body: { items } });
  await eventually("its webhooks", () => [first, second, third].every((each) => toldOf(each).length > 0));
  for (const each of webhooks.received)
    expect(EVENT_BODIES.get("number.suppressed")?.parse(each)).toEqual(each);
  const [event] = toldOf(first);
  expect(event.data).toMatchObject({ reason: "By letter", source: "api", callId: null, campaignId: null });
  const { body } = await user.send("GET", `${WEBHOOK}/deliveries?event=number.suppressed`);
  expect(body.data.find(({ eventId }: Wire) => eventId === event.data.eventId)).toMatchObject({
    event: "number.suppressed",
    callId: null,
    campaignId: null,
  });
  const { occurredAt: from } = event.data;
  const range = { from, to: new Date(Date.parse(from) + 60_000).toISOString() };
  const replayed = await user.send("POST", `${WEBHOOK}/replays`, { body: range });
  expect(replayed.body.data.deliveries).toBeGreaterThanOrEqual(3);
  await eventually("them again", () => [first, second, third].every((each) => toldOf(each).length > 1));
  expect(toldOf(first)).toEqual([event, event]);
});

it("revokes what was asked for on a call before the number leaves the list", async () => {
  const ready = await callable(user);
  const start = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: ANSWERS } });
  const { callId } = start.body;
  await endedCall(user, callId);
  await asksOn(callId);
  const { body } = await user.send("GET", pathOf(ANSWERS));
  expect(body.data).toMatchObject({ listed: true, reason: ASKED, source: "call", callId });
  expect((await user.send("DELETE", pathOf(ANSWERS))).status).toBe(200);
  const events = (await user.send("GET", `/api/v1/calls/${callId}/events`)).body.data;
  const told = events.filter(({ type }: Wire) => type.startsWith("CallOpt"));
  expect(told).toMatchObject([
    { type: "CallOptedOut", data: { by: "words", messageIndex: 1 } },
    { type: "CallOptOutRevoked", data: { by: await keyOf(user) } },
  ]);
});

it("stays on the list when the words of its call are erased, and the body that was sent too", async () => {
  const ready = await callable(user);
  const start = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: ANSWERS } });
  const { callId } = start.body;
  await endedCall(user, callId);
  await asksOn(callId);
  const erased = await user.send("POST", "/api/v1/erasures", { body: { phoneNumber: ANSWERS } });
  expect(erased.body.data.status).toBe("done");
  expect((await user.send("GET", pathOf(ANSWERS))).body.data).toMatchObject({ listed: true, callId });
  const { rows } = await pool.query("select body from work.webhook_messages where phone_number = $1", [
    ANSWERS,
  ]);
  expect(rows.map(({ body }) => JSON.parse(body).data.callId)).toContain(callId);
  expect(rows.some(({ body }) => body.includes("erased"))).toBe(false);
});
