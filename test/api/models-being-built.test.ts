import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { type Config, readConfig } from "../../infrastructure/config.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { callable } from "./support/things.ts";

/**
 * What a write waits for a read model that serves (docs/api.md §1): one that waits for those being
 * built is no quicker.
 */
const READ_YOUR_OWN_WRITE = 2_000;

let log: EventStoreDbServer;
let database: TestDatabase;
let folder: string;
let config: Config;
let service: Service;
let user: ApiUser;
let building: pg.Client;

beforeEach(async () => {
  log = await startEventStoreDbServer();
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-being-built-"));
  const key = randomBytes(24).toString("hex");
  config = readConfig({
    PORT: "0",
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    EVENTSTORE_URL: log.url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: "silent",
  });
  await (await compose(config)).stop();
  building = new pg.Client({ connectionString: database.connectionString });
  await building.connect();
  await holdUpBuilding();
  service = await compose(config);
  user = apiUser({ url: service.url, document: await loadDocument(), key });
});
afterEach(async () => {
  await building.end();
  await service.stop();
  await log.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The read models are gone, and none can be put in place of them: as long as a long log is read. */
async function holdUpBuilding(): Promise<void> {
  const { rows } = await building.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'read' and tablename not in ('checkpoints', 'parked_events')",
  );
  await building.query(`drop table ${rows.map(({ name }) => name).join(", ")} cascade`);
  await building.query("truncate read.checkpoints");
  await building.query("begin");
  await building.query("lock table read.checkpoints in share row exclusive mode");
}

describe("a database whose read models are being built", () => {
  it("refuses what is read from models without rows, and nothing else", async () => {
    await delay(READ_YOUR_OWN_WRITE); // the moment in which a write still waits for them
    const { phoneNumberId, assistantId } = await callable(user);
    const written = async (method: "POST" | "PATCH" | "DELETE", path: string, body?: object) => {
      const began = performance.now();
      const answer = await user.send(method, path, body === undefined ? {} : { body });
      const millis = performance.now() - began;
      expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
      expect(millis).toBeLessThan(READ_YOUR_OWN_WRITE);
      return answer.body;
    };
    const contacts = [{ phoneNumber: "+15005550006" }, { phoneNumber: "+15005550002" }];
    const campaign = { name: "C", phoneNumberId, assistantId, contacts };
    const { id } = (await written("POST", "/api/v1/campaigns", campaign)).data.campaign;
    const path = `/api/v1/campaigns/${id}`;
    const then = await user.send("GET", `${path}/contacts?at=2100-01-01T00:00:00Z`);
    const contactId = then.body.data[0].id;

    const reads = [
      "/api/v1/campaigns",
      path,
      `${path}/contacts`,
      `${path}/contacts/${contactId}`,
      "/api/v1/calls",
      `/api/v1/calls/${systemIds.next("call")}`,
      "/api/v1/squads",
      "/api/v1/events",
    ];
    for (const read of reads) {
      const { status, body, headers } = await user.send("GET", read);
      expect([read, status, body.error?.code, headers.get("retry-after")]).toEqual([
        read,
        503,
        "NOT_READY",
        "1",
      ]);
    }
    expect((await user.send("GET", `${path}/events`)).body.data).toHaveLength(2);
    expect((await user.send("GET", `${path}?at=2100-01-01T00:00:00Z`)).status).toBe(200);
    expect((await user.send("GET", "/api/v1/assistants")).body.data).toHaveLength(1);

    await written("PATCH", path, { callWindowStart: 0, callWindowEnd: 23 });
    const skipped = await written("POST", `${path}/contacts/${contactId}/skip`);
    expect(skipped.data).toMatchObject({ id: contactId, status: "skipped" });
    await written("PATCH", path, { callWindowStart: null, callWindowEnd: null });
    await written("POST", `${path}/start`);
    expect((await written("POST", `${path}/pause`)).data.campaign.status).toBe("PAUSED");
    expect((await written("POST", `${path}/cancel`, {})).data.campaign.status).toBe("CANCELLED");
    await written("POST", "/api/v1/suppressions", { phoneNumber: "+14155552671" });
    await written("DELETE", "/api/v1/suppressions/%2B14155552671");
    const call = await written("POST", "/api/v1/calls/outbound", {
      phoneNumberId,
      assistantId,
      to: "+15005550006",
    });
    await written("DELETE", `/api/v1/calls/outbound/${call.callId}`);
    // The one write that asks a read model: whether a squad uses it.
    const deletion = await user.send("DELETE", `/api/v1/assistants/${assistantId}`);
    expect([deletion.status, deletion.body.error?.code]).toEqual([503, "NOT_READY"]);

    await building.query("commit");
    await eventually("ready", async () => (await user.send("GET", "/health/ready")).status === 200, 60_000);
    expect((await user.send("GET", path)).body.data.campaign).toMatchObject({ id, status: "CANCELLED" });
  });
});
