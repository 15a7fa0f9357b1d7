import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { callable, campaignBody, made } from "./support/things.ts";

/** Much less than any repetition of a read or an append takes, and much more than an answer. */
const AT_ONCE = 5_000;
/** The prefix of this installation's streams. */
const PREFIX = "ringfold-";

describe("a service whose log lies in EventStoreDB", () => {
  let log: EventStoreDbServer;
  let database: TestDatabase;
  let folder: string;
  let service: Service | undefined;
  const key = randomBytes(24).toString("hex");
  const secretsKey = randomBytes(32).toString("base64");

  beforeEach(async () => {
    log = await startEventStoreDbServer();
    database = await migratedDatabase();
    folder = await mkdtemp(join(tmpdir(), "ringfold-log-away-"));
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await log.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(env: Readonly<Record<string, string>> = {}): Promise<ApiUser> {
    service = await compose(
      readConfig({
        PORT: "0",
        DATA_DIR: folder,
        DATABASE_URL: database.connectionString,
        EVENTSTORE_URL: log.url,
        SECRETS_KEY: secretsKey,
        BOOTSTRAP_API_KEY: key,
        LOG_LEVEL: "silent",
        SIMULATOR_SPEED: "50",
        ...env,
      }),
    );
    return apiUser({ url: service.url, document: await loadDocument(), key });
  }

  async function expectRefusedAtOnce(user: ApiUser): Promise<void> {
    const id = systemIds.next("cmp");
    const began = performance.now();
    const answers = await Promise.all([
      user.send("POST", `/api/v1/campaigns/${id}/start`),
      user.send("POST", `/api/v1/campaigns/${id}/pause`),
      user.send("PATCH", `/api/v1/campaigns/${id}`, { body: { name: "Another" } }),
    ]);
    expect(performance.now() - began).toBeLessThan(AT_ONCE);
    for (const { status, body, headers } of answers) {
      expect([status, body.error.code, headers.get("retry-after")]).toEqual([503, "NOT_READY", "1"]);
    }
  }

  it.each(["new", "used"])(
    "refuses commands at once while it has never reached it (%s database)",
    async (kind) => {
      if (kind === "used") {
        await start();
        await service?.stop();
      }
      log.kill();
      const user = await start();
      expect((await user.send("GET", "/health/ready")).status).toBe(503);
      await expectRefusedAtOnce(user);
      await log.start();
      await eventually("ready", async () => (await user.send("GET", "/health/ready")).status === 200, 20_000);
      const id = systemIds.next("cmp");
      const { status, body } = await user.send("POST", `/api/v1/campaigns/${id}/start`);
      expect([status, body.error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
    },
  );

  it("answers every command and read within the 30 s of a client while its node is frozen", async () => {
    const user = await start();
    const things = await callable(user);
    const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(things, {}));
    const at = `/api/v1/campaigns/${campaign.id}`;
    log.faults.freeze();
    const began = performance.now();
    const answers = await Promise.all([
      user.send("POST", `${at}/start`),
      user.send("POST", "/api/v1/calls/outbound", { body: { ...things, to: "+15005550006" } }),
      user.send("POST", "/api/v1/campaigns", { body: campaignBody(things, {}) }),
      user.send("GET", `${at}/events`),
    ]);
    const waited = performance.now() - began;
    log.faults.thaw();
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
      answers.map(() => [503, "NOT_READY"]),
    );
    expect(waited).toBeLessThan(30_000);
  }, 120_000);

  it("refuses them at once on a restored database, until a start accepts it by its position", async () => {
    const first = await start();
    const call = { ...(await callable(first)), to: "+15005550006" };
    await first.send("POST", "/api/v1/calls/outbound", { body: call });
    await service?.stop();
    await database.pool.query("update work.alive set alive_at = alive_at - interval '1 hour'");
    await database.pool.query("delete from work.checkpoints");
    const restored = await start();
    const readiness = await restored.send("GET", "/health/ready");
    const dialling = readiness.body.data.checks.find(({ name }: { name: string }) => name === "dialling");
    expect([readiness.status, dialling.detail.state]).toEqual([503, "shut"]);
    await expectRefusedAtOnce(restored);
    await service?.stop();
    const beyond = log.log.records.find(({ stream }) => stream.startsWith(PREFIX))?.position;
    const accepted = await start({ ACCEPT_RESTORED: String(beyond) });
    const { status } = await accepted.send("POST", `/api/v1/campaigns/${systemIds.next("cmp")}/start`);
    expect(status).toBe(404);
  });
});
