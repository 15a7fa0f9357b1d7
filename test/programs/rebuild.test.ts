import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { callable, campaignBody, made } from "../api/support/things.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { runProgram } from "./run-program.ts";

const REBUILD = join(import.meta.dirname, "../../programs/rebuild.ts");

describe.each(["PostgreSQL", "EventStoreDB"])("beside a running service with its log in %s", (kind) => {
  let log: EventStoreDbServer | null;
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let service: Service;
  let user: ApiUser;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    log = kind === "EventStoreDB" ? await startEventStoreDbServer() : null;
    database = await migratedDatabase();
    folder = await mkdtemp(join(tmpdir(), "ringfold-rebuild-"));
    const key = randomBytes(24).toString("hex");
    env = {
      PORT: "0",
      DATA_DIR: folder,
      DATABASE_URL: database.connectionString,
      ...(log === null ? {} : { EVENTSTORE_URL: log.url }),
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: "error",
      RATE_LIMIT_PER_SECOND: "0",
      SIMULATOR_SPEED: "50",
    };
    service = await compose(readConfig(env));
    user = apiUser({ url: service.url, document: await loadDocument(), key });
    await eventually("the read models", async () => (await fetch(`${service.url}/health/ready`)).ok);
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await service.stop();
    await log?.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const squads = async () => (await user.send("GET", "/api/v1/squads?limit=200")).body.data;

  it("rebuild and replay work while it answers and takes writes", async () => {
    const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(await callable(user)));
    const before = await squads();
    let running = true;
    const rebuilding = runProgram("rebuild.ts", [], env).finally(() => {
      running = false;
    });
    const written: string[] = [];
    while (running) {
      const squad = await made(user, "/api/v1/squads", { name: `Squad ${written.length}` });
      written.push(squad.id);
      const path = `/api/v1/squads/${squad.id}`;
      // A write waits 2 s at most for the read model; the tables take their places meanwhile.
      await eventually("the squad", async () => (await user.send("GET", path)).status === 200, 10_000);
    }
    const { code, stdout } = await rebuilding;
    expect([code, stdout]).toEqual([0, expect.stringContaining("built again and in place")]);
    expect(await squads()).toHaveLength(Math.min(200, before.length + written.length));
    const told = await runProgram("replay.ts", [campaign.id], env);
    expect([told.code, told.stdout]).toEqual([
      0,
      expect.stringContaining("“A campaign” created: 1 contacts"),
    ]);
    expect((await runProgram("replay.ts", [campaign.id, "--verify"], env)).code).toBe(0);
  }, 180_000);

  it("a rebuild that is killed leaves the old rows serving, and can be started again", async () => {
    await made(user, "/api/v1/squads", { name: "Support" });
    const before = await squads();
    const holder = await database.pool.connect();
    try {
      await holder.query("begin");
      // full tables wait here to take their places
      await holder.query("select 1 from read.checkpoints for update");
      child = spawn(process.execPath, [REBUILD], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: "ignore",
      });
      await eventually("the new tables to be full", async () => {
        const { rows } = await database.pool.query(`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%for update%'`);
        return rows.length > 0;
      });
      child.kill("SIGKILL");
      await once(child, "exit");
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    expect(await squads()).toEqual(before);
    expect((await runProgram("rebuild.ts", [], env)).code).toBe(0);
    expect(await squads()).toEqual(before);
    await made(user, "/api/v1/squads", { name: "Sales" });
    expect(await squads()).toHaveLength(before.length + 1);
  }, 180_000);
});
