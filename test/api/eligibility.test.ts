import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { type Callable, callable, campaignBody, made } from "./support/things.ts";

const OUTBOUND = "/api/v1/calls/outbound";
const POLICY = "/api/v1/policy";
const TEST = "/api/v1/policy/eligibility/test";
/** Simulated callees: docs/api-by-example.md. */
const BUSY = "+15005550002";
const OFF = { oneCallAtATime: false };

const key = randomBytes(24).toString("hex");
let database: TestDatabase;
let folder: string;
let service: Service;
let user: ApiUser;
let ready: Callable;
let receiver: Server;
let url: string;
let answer = "";
const heard: { readonly path: string; readonly data: Record<string, unknown> }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push({ path: request.url ?? "", ...JSON.parse(Buffer.concat(chunks).toString()) });
    reply.end(answer);
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}/may-call`;
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-eligibility-"));
  service = await compose(
    readConfig({
      ...{ DATABASE_URL: database.connectionString, DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent" },
      ...{ SECRETS_KEY: randomBytes(32).toString("base64"), BOOTSTRAP_API_KEY: key, SIMULATOR_SPEED: "50" },
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    }),
  );
  user = apiUser({ url: service.url, document: await loadDocument(), key });
  ready = await callable(user);
}, 60_000);
beforeEach(() => {
  answer = '{"allowed": true}';
  heard.length = 0;
});
afterAll(async () => {
  await service.stop();
  receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const asks = () => ({ ...OFF, eligibility: { url, timeoutMs: 500 } });
const put = (body: object) => user.send("PUT", POLICY, { body });

it("a policy and a campaign ask no private address, nor anything that is no URL", async () => {
  const [inside, words] = ["https://10.0.0.1/may-call", "may-call"];
  for (const [wrong, message] of [
    [inside, "Must lead to a public address"],
    [words, "Must be an https URL"],
  ]) {
    const eligibility = { url: wrong };
    const refused = await put({ ...OFF, eligibility });
    const created = await user.send("POST", "/api/v1/campaigns", {
      body: { ...campaignBody(ready), eligibility },
    });
    for (const { status, body } of [refused, created])
      expect([status, body.error.details]).toEqual([400, [{ path: ["eligibility", "url"], message }]]);
  }
  const tested = await user.send("POST", TEST, { body: { url: inside } });
  expect([tested.status, tested.body.error.details[0].path]).toEqual([400, ["url"]]);
});

it("a test says what an address answers, and what would follow", async () => {
  const without = await user.send("POST", TEST, { body: {} });
  expect([without.status, without.body.error.details[0].path]).toEqual([400, ["url"]]);
  await put(asks());
  answer = '{"allowed": false, "reason": "has paid", "until": "2020-01-01T00:00:00Z"}';
  const { status, body } = await user.send("POST", TEST);
  expect([status, body.data]).toEqual([
    200,
    {
      ...{ status: 200, millis: expect.any(Number), text: answer, question: expect.any(String), why: null },
      ...{ answer: "refused", reason: "has paid", until: "2020-01-01T00:00:00.000Z", follows: "held" },
    },
  ]);
  expect(JSON.parse(body.data.question).data).toEqual(heard[0]?.data);
  answer = "{}";
  const other = await user.send("POST", TEST, { body: { url: `${url}/other` } });
  expect(other.body.data).toMatchObject({ answer: "unavailable", why: "no_answer", follows: "asked_again" });
  expect(heard.map(({ path }) => path)).toEqual(["/may-call", "/may-call/other"]);
});

it("a single call is asked about: 503 without an answer, 403 when it is refused, else it is made", async () => {
  await put(asks());
  const call = () => user.send("POST", OUTBOUND, { body: { ...ready, to: BUSY } });
  answer = "[]";
  const unanswered = await call();
  expect([unanswered.status, unanswered.body.error.code]).toEqual([503, "ELIGIBILITY_UNAVAILABLE"]);
  answer = '{"allowed": false, "reason": "has paid"}';
  const refused = await call();
  expect([refused.status, refused.body.error.code]).toEqual([403, "POLICY_REFUSED"]);
  expect(refused.body.error.details).toEqual([
    { path: ["eligibility"], message: "Your address does not allow it: has paid", until: null },
  ]);
  answer = '{"allowed": true}';
  expect((await call()).status).toBe(200);
  expect(heard.map(({ data }) => data["phoneNumber"])).toEqual([BUSY, BUSY, BUSY]);
  await put(OFF);
});

it("a campaign asks its own address: whom it refuses is skipped, the others are called", async () => {
  const contacts = [{ phoneNumber: BUSY, name: "Ada", customData: { order: 7 }, externalId: "crm-7" }];
  const own = { url: `${url}/own` };
  const body = { ...campaignBody(ready), contacts, maxRetries: 1, eligibility: own };
  const { campaign } = await made(user, "/api/v1/campaigns", body);
  const path = `/api/v1/campaigns/${campaign.id}`;
  const shown = () => user.send("GET", path).then((got) => got.body.data.campaign.eligibility);
  expect(await shown()).toEqual({ ...own, timeoutMs: 2_000 });
  expect((await user.send("PATCH", path, { body: { eligibility: null } })).status).toBe(200);
  expect(await shown()).toBeNull();
  await user.send("PATCH", path, { body: { eligibility: { ...own, timeoutMs: 1_000 } } });
  expect(await shown()).toEqual({ ...own, timeoutMs: 1_000 });
  answer = '{"allowed": false, "reason": "has paid"}';
  await user.send("POST", `${path}/start`);
  const status = () => user.send("GET", path).then((got) => got.body.data.campaign.status);
  await eventually("the campaign is over", async () => (await status()) === "COMPLETED");
  const { body: list } = await user.send("GET", `${path}/contacts`);
  expect(list.data).toMatchObject([{ status: "skipped", skipReason: "not_eligible" }]);
  expect(heard).toEqual([
    {
      ...{ path: "/may-call/own", event: "call.eligibility" },
      data: expect.objectContaining({ ...contacts[0], campaignId: campaign.id, attempt: 1 }),
    },
  ]);
});
