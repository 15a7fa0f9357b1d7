import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { readInstallation } from "../../infrastructure/postgres/installation.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type CarrierServer, startCarrierServer } from "../../simulation/http/carrier-server.ts";
import { createHttpTelephony } from "../../simulation/http/http-telephony.ts";
import { dialRequest, LATEST, TOKEN } from "../simulation/carrier/carrier-harness.ts";
import { migratedDatabase } from "../support/database.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { type Callable, callable, campaignBody, made } from "./support/things.ts";

const PATIENCE = 20_000;
/** Nothing more is told of a call that the carrier has accepted while a test goes on. */
const SLOW = 0.01;
/** Rings until it is ended. */
const RINGS = "+15005550010";

const key = randomBytes(24).toString("hex");
const secretsKey = randomBytes(32).toString("base64");
let database: TestDatabase;
let folder: string;
let service: Service | undefined;
let env: Record<string, string>;

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-restore-"));
  env = { DATABASE_URL: database.connectionString };
});
afterEach(async () => {
  await stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(more: Readonly<Record<string, string>> = {}): Promise<ApiUser> {
  service = await compose(
    readConfig({
      PORT: "0",
      DATA_DIR: folder,
      SECRETS_KEY: secretsKey,
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: "silent",
      SIMULATOR_SPEED: "50",
      ...env,
      ...more,
    }),
  );
  return apiUser({ url: service.url, document: await loadDocument(), key });
}

async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

async function ready(user: ApiUser) {
  const { status, body } = await user.send("GET", "/health/ready");
  const check = (wanted: string) => body.data.checks.find(({ name }: { name: string }) => name === wanted);
  return {
    status,
    message: body.error?.message,
    restored: check("restored").detail,
    dialling: check("dialling").detail,
  };
}
const isReady = (user: ApiUser) =>
  eventually("ready", async () => (await ready(user)).status === 200, PATIENCE);

const value = (accept: unknown) => String(accept).replace(/^ACCEPT_RESTORED=/, "");

async function runningCampaign(user: ApiUser, things: Callable, numbers: readonly string[]): Promise<string> {
  const contacts = numbers.map((phoneNumber) => ({ phoneNumber }));
  const body = campaignBody(things, { contacts, maxConcurrentCalls: 1 });
  const { campaign } = await made(user, "/api/v1/campaigns", body);
  const { id } = campaign;
  await user.send("POST", `/api/v1/campaigns/${id}/start`);
  return String(id);
}

async function singleCall(user: ApiUser, things: Callable) {
  const { status, body } = await user.send("POST", "/api/v1/calls/outbound", {
    body: { ...things, to: "+15005550006" },
  });
  return [status, body.error?.code];
}

/** What each kind of command is told to start with: ACCEPT_RESTORED and its value, or its whole answer. */
async function refusals(user: ApiUser, things: Callable, campaign: string): Promise<readonly string[]> {
  const at = `/api/v1/campaigns/${campaign}`;
  const single = { ...things, to: "+15005550006" };
  const call = `/api/v1/calls/outbound/${systemIds.next("call")}`;
  const answers = await Promise.all([
    user.send("POST", `${at}/start`),
    user.send("POST", `${at}/pause`),
    user.send("POST", `${at}/resume`),
    user.send("POST", `${at}/cancel`),
    user.send("PATCH", at, { body: { name: "Another" } }),
    user.send("POST", `${at}/contacts`, { body: { contacts: [{ phoneNumber: "+12025550104" }] } }),
    user.send("POST", "/api/v1/campaigns", { body: campaignBody(things, {}) }),
    user.send("POST", "/api/v1/calls/outbound", { body: single }),
    user.send("DELETE", call),
  ]);
  return answers.map(({ status, body, text }) => {
    const accept = /ACCEPT_RESTORED=\w+/.exec(body.error?.message ?? "")?.[0];
    return status === 503 && accept !== undefined ? accept : `${status} ${text}`;
  });
}

describe.each(["PostgreSQL", "EventStoreDB"])(
  "a carrier with calls that the log in %s does not know",
  (kind) => {
    let log: EventStoreDbServer | undefined;
    let carrier: CarrierServer;

    const startCarrier = (port: number) =>
      startCarrierServer({
        clock: systemClock,
        host: "127.0.0.1",
        port,
        dataDir: join(folder, "far-carrier"),
        seed: 1,
        speed: SLOW,
        token: TOKEN,
      });

    beforeEach(async () => {
      if (kind === "EventStoreDB") {
        log = await startEventStoreDbServer();
        env["EVENTSTORE_URL"] = log.url;
      }
      carrier = await startCarrier(0);
      env["SIMULATOR_URL"] = carrier.url;
      env["SIMULATOR_TOKEN"] = TOKEN;
    });
    afterEach(async () => {
      await stop();
      await carrier.stop();
      await log?.stop();
      log = undefined;
    });

    /** As the service that was lost with its log had placed it. */
    async function placeUnknown(callId: CallId, to: `+${string}`, from: `+${string}`): Promise<void> {
      const { id: installation } = await readInstallation(database.pool);
      const telephony = createHttpTelephony({
        url: carrier.url,
        clock: systemClock,
        installation,
        token: TOKEN,
      });
      const placed = await telephony.placeCall(dialRequest(to, { callId, from }), LATEST);
      expect(placed.kind).toBe("accepted");
      await telephony.close();
    }

    it("keeps the gate closed until its value is accepted, and ends only contacts that it called", async () => {
      const user = await start();
      const things = await callable(user);
      const others = ["+12025550101", "+12025550102", "+12025550103"] as const;
      const campaign = await runningCampaign(user, things, [RINGS, ...others]);
      await eventually(
        "the ring",
        async () => {
          const { body } = await user.send("GET", `/api/v1/campaigns/${campaign}`);
          return body.data?.campaign?.activeCalls === 1;
        },
        PATIENCE,
      );
      await stop();
      const callId = systemIds.next("call");
      await placeUnknown(callId, others[0], "+15005550000");
      await placeUnknown(systemIds.next("call"), others[1], "+15005550001"); // another number of ours
      await placeUnknown(systemIds.next("call"), RINGS, "+15005550000");

      const shut = await start();
      const { status, message, restored, dialling } = await ready(shut);
      expect([status, restored.calls, dialling.state]).toEqual([503, 3, "shut"]);
      expect(message).toContain("restored");
      expect(await singleCall(shut, things)).toEqual([503, "CARRIER_UNAVAILABLE"]);
      expect(new Set(await refusals(shut, things, campaign))).toEqual(new Set([restored.accept]));
      expect((await shut.send("GET", `/api/v1/campaigns/${campaign}`)).status).toBe(200);
      await stop();

      const accepting = await start({ ACCEPT_RESTORED: value(restored.accept) });
      await isReady(accepting);
      await eventually(
        "the end of its contacts to be seen",
        async () => {
          const { body } = await accepting.send("GET", `/api/v1/campaigns/${campaign}/contacts`);
          return body.data[1]?.status === "failed" && body.data[0]?.attempts.length === 2;
        },
        PATIENCE,
      );
      await eventually(
        "the pause to be seen",
        async () => {
          const { body } = await accepting.send("GET", `/api/v1/campaigns/${campaign}`);
          return body.data.campaign.status === "PAUSED" && body.data.statistics.pendingContacts === 2;
        },
        PATIENCE,
      );
      const contactsOf = async () => {
        const { body } = await accepting.send("GET", `/api/v1/campaigns/${campaign}/contacts`);
        return body.data;
      };
      const [ringing, called, ...left] = await contactsOf();
      expect(called).toMatchObject({
        status: "failed",
        attempts: [{ attempt: 1, callId, status: "failed", endReason: "outcome_unknown" }],
      });
      expect(left).toMatchObject([
        { status: "pending", attempts: [] },
        { status: "pending", attempts: [] },
      ]);
      // Its live call goes on, and is the last.
      expect(ringing.attempts).toMatchObject([{ attempt: 1 }, { endReason: "outcome_unknown" }]);
      const { body } = await accepting.send("GET", `/api/v1/campaigns/${campaign}`);
      expect(body.data.campaign).toMatchObject({ status: "PAUSED", pauseReason: "manual" });
      expect(body.data.statistics).toMatchObject({ totalContacts: 4, pendingContacts: 2 });
      await stop();

      await isReady(await start());
    });

    it("that does not answer at the start: nobody is dialled, reads answer, and it is asked again", async () => {
      const things = await callable(await start());
      await stop();
      const { port } = new URL(carrier.url);
      await carrier.stop();
      const user = await start();
      const { status, dialling, restored } = await ready(user);
      expect([status, dialling, restored]).toEqual([503, { state: "asking", waitsFor: "carrier" }, {}]);
      expect(await singleCall(user, things)).toEqual([503, "CARRIER_UNAVAILABLE"]);
      expect((await user.send("GET", "/api/v1/calls")).status).toBe(200);
      carrier = await startCarrier(Number(port));
      await isReady(user);
      expect((await singleCall(user, things))[0]).toBe(200);
    });
  },
);

describe("a new PostgreSQL beside the log of an older one", () => {
  let log: EventStoreDbServer;
  let lost: TestDatabase;

  beforeEach(async () => {
    log = await startEventStoreDbServer();
    lost = database;
    env["EVENTSTORE_URL"] = log.url;
  });
  afterEach(async () => {
    await stop();
    await log.stop();
    if (lost !== database) await lost.drop();
  });

  it("says what the log has, dials nobody, and goes on once that is accepted: campaigns stay paused", async () => {
    const first = await start();
    const things = await callable(first);
    const campaign = await runningCampaign(first, things, [RINGS, "+15005550006"]);
    await eventually(
      "the ring",
      async () => {
        const { body } = await first.send("GET", `/api/v1/campaigns/${campaign}`);
        return body.data?.campaign?.activeCalls === 1;
      },
      PATIENCE,
    );
    expect((await singleCall(first, things))[0]).toBe(200);
    await stop();

    database = await migratedDatabase();
    env["DATABASE_URL"] = database.connectionString;
    const second = await start();
    const { status, message, restored, dialling } = await ready(second);
    expect([status, dialling.state]).toEqual([503, "shut"]);
    expect(message).toContain("restored");
    expect(restored).toMatchObject({
      campaigns: 1,
      calls: 2,
      owners: 1,
      accept: expect.stringMatching(/^ACCEPT_RESTORED=\S+$/),
      howToGoOn: expect.stringContaining("backup"),
    });
    expect((await singleCall(second, await callable(second)))[1]).toBe("CARRIER_UNAVAILABLE");
    await stop();
    const other = await ready(await start({ ACCEPT_RESTORED: "another" }));
    expect([other.status, other.restored.accept]).toEqual([503, restored.accept]);
    await stop();

    const accepting = await start({ ACCEPT_RESTORED: value(restored.accept) });
    await isReady(accepting);
    const paused = log.log.records.filter(
      ({ stream, type }) => stream.endsWith(campaign) && type === "CampaignPaused",
    );
    expect(paused).toHaveLength(1);
    expect((await singleCall(accepting, await callable(accepting)))[0]).toBe(200);
    await stop();
    await isReady(await start());
  });

  it("has nothing to say of a log that is empty, or holds the events of others alone", async () => {
    await isReady(await start());
    await stop();
    database = await migratedDatabase();
    env["DATABASE_URL"] = database.connectionString;
    env["EVENTSTORE_PREFIX"] = "another-";
    await isReady(await start());
  });
});
