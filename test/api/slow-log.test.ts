import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compose } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { REAL_NODE } from "../support/eventstoredb/slow-node.ts";
import { apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { callable, campaignBody, made } from "./support/things.ts";

const CONTACTS = 1_000;
const PATIENCE = 240_000;
/** None, unless the machine itself is so busy that some calls come too late: they are repeated. */
const LATE_AT_MOST = CONTACTS / 20;

it("a campaign of 1,000 calls at once on a node as slow as a real one places every call, and hardly repeats an append", async () => {
  const log = await startEventStoreDbServer({ speed: REAL_NODE });
  const database = await migratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "ringfold-slow-log-"));
  const key = randomBytes(24).toString("hex");
  const service = await compose(
    readConfig({
      PORT: "0",
      DATA_DIR: folder,
      DATABASE_URL: database.connectionString,
      EVENTSTORE_URL: log.url,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: "silent",
      SIMULATOR_SPEED: "100000",
      SIMULATOR_MINUTE_MS: "1",
      PLAN_MAX_CONCURRENT_CALLS: "1000",
      PLAN_MAX_CALLS_PER_SECOND: "10000",
      MAX_CONVERSATIONS: "1000",
      INITIAL_CREDITS: "1000000",
    }),
  );
  try {
    const user = apiUser({ url: service.url, document: await loadDocument(), key });
    const contacts = Array.from({ length: CONTACTS }, (_, index) => ({
      phoneNumber: `+1202555${String(index).padStart(4, "0")}`,
    }));
    const body = campaignBody(await callable(user), { contacts, maxRetries: 1 });
    const { campaign } = await made(user, "/api/v1/campaigns", body);
    const told = new Set<string>();
    let notPlaced = 0;
    log.log.onCommitted(({ stream, type, data }) => {
      if (type === "CallRinging" || type === "CallFailed") told.add(stream);
      if (type === "CallFailed" && Buffer.from(data).includes("not_placed")) notPlaced += 1;
    });
    expect((await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`)).status).toBe(200);
    await eventually("what became of every dial", () => told.size >= CONTACTS, PATIENCE);
    expect(notPlaced).toBeLessThanOrEqual(LATE_AT_MOST);
    expect(log.counts.repeated).toBeLessThanOrEqual(CONTACTS / 100);
  } finally {
    await service.stop();
    await log.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);
