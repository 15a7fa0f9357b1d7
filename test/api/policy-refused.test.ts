import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "./support/things.ts";

const OUTBOUND = "/api/v1/calls/outbound";
/** Simulated callees: docs/api-by-example.md. */
const BUSY = "+15005550002";
/** Of no country: nobody knows the zone of its person. */
const GLOBAL = "+88210123456";
const ONCE = { attemptsPerNumber: { month: 1 }, oneCallAtATime: false };

const key = randomBytes(24).toString("hex");
const secretsKey = randomBytes(32).toString("base64");
let database: TestDatabase;
let folder: string;
let service: Service;
let user: ApiUser;
let ready: Callable;

async function start(): Promise<void> {
  const own = { DATABASE_URL: database.connectionString, DATA_DIR: folder, SECRETS_KEY: secretsKey };
  const quiet = { PORT: "0", LOG_LEVEL: "silent", SIMULATOR_SPEED: "50", BOOTSTRAP_API_KEY: key };
  service = await compose(readConfig({ ...own, ...quiet }));
  user = apiUser({ url: service.url, document: await loadDocument(), key });
}
beforeAll(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-policy-"));
  await start();
  ready = await callable(user);
  await user.send("PUT", "/api/v1/policy", { body: ONCE });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const call = (to: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  user.send("POST", OUTBOUND, { body: { ...ready, to, ...more }, headers });
const timezone = "Europe/Istanbul";

it("a single call that the policy refuses is 403 with a detail for the rule, and frees its Idempotency-Key", async () => {
  const first = await call(BUSY, { timezone });
  expect(first.status).toBe(200);
  await endedCall(user, first.body.callId);
  const keyed = { "idempotency-key": "refused-once" };
  const { status, body } = await call(BUSY, { timezone }, keyed);
  expect([status, body.error.code]).toEqual([403, "POLICY_REFUSED"]);
  expect(body.error.details).toEqual([
    {
      path: ["attemptsPerNumber"],
      message: expect.stringMatching(
        /^At most 1 dial a month: 1 so far; allowed from \d{4}-\d\d-\d\dT.*Z on$/,
      ),
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
  const active = await user.send("GET", `${OUTBOUND}/active`);
  expect(active.body.concurrency.active).toBe(0);
  await user.send("PUT", "/api/v1/policy", { body: { oneCallAtATime: false } });
  expect((await call(BUSY, { timezone }, keyed)).status).toBe(200);
  await user.send("PUT", "/api/v1/policy", { body: ONCE });
});

it("nobody knows where the person lives: 403 without a timezone; an unknown or ambiguous one is 400", async () => {
  const unknown = await call(GLOBAL);
  expect([unknown.status, unknown.body.error.details[0].path]).toEqual([403, ["zone_unknown"]]);
  for (const wrong of ["Mars/Olympus", "EST"]) {
    const { status, body } = await call(GLOBAL, { timezone: wrong });
    expect([status, body.error.code, body.error.details[0].path]).toEqual([
      400,
      "VALIDATION_ERROR",
      ["timezone"],
    ]);
  }
});

it("a test call is judged as a single call", async () => {
  const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready));
  const { status, body } = await user.send("POST", `/api/v1/campaigns/${campaign.id}/test-call`, {
    body: { to: BUSY },
  });
  expect([status, body.error.code]).toEqual([403, "POLICY_REFUSED"]);
});

it("dials of before an upgrade count after it", async () => {
  await service.stop();
  // As a release of before the policies leaves it: the log has the dials, and nobody has counted them.
  await database.pool.query("delete from work.number_dials");
  await database.pool.query("update work.number_dials_fill set done = false");
  await start();
  await eventually("the gate", async () => (await user.send("GET", "/health/ready")).status === 200, 20_000);
  const { status, body } = await call(BUSY, { timezone });
  expect([status, body.error.details[0].path]).toEqual([403, ["attemptsPerNumber"]]);
});
