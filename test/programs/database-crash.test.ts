import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { findRunningEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { postmasterOf } from "../support/postmaster.ts";

let folder: string;
let service: Service;
let user: ApiUser;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-crash-"));
  const key = randomBytes(24).toString("hex");
  service = await compose(
    readConfig({ PORT: "0", DATA_DIR: folder, BOOTSTRAP_API_KEY: key, LOG_LEVEL: "silent" }),
  );
  user = apiUser({ url: service.url, document: await loadDocument(), key });
});
afterEach(async () => {
  await service.stop();
  await removeFolder(folder);
});

const squads = async () => (await user.send("GET", "/api/v1/squads")).body.data?.length;

/** What is committed without a flush and lost by a crash, made certain. */
async function takeBackRowsOfSquads(): Promise<void> {
  const client = new pg.Client({ ...findRunningEmbeddedPostgres(folder) });
  await client.connect();
  await client.query("begin");
  await client.query("delete from read.squads_v1");
  await client.query("update read.checkpoints set position = '', event_id = null where model = 'squads_v1'");
  await client.query("commit");
  await client.end();
}

it("shows what its read models lost when the embedded database was killed, though nothing more is written", async () => {
  await user.send("POST", "/api/v1/squads", { body: { name: "Night shift" } });
  await eventually("the squad", async () => (await squads()) === 1);
  await takeBackRowsOfSquads();
  expect(await squads()).toBe(0);
  process.kill(postmasterOf(folder), "SIGKILL");
  expect(await eventually("the squad, again", async () => (await squads()) === 1)).toBe(true);
});
