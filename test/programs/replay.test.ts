import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callStream, campaignStream } from "../../application/log/stream-names.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import { createPostgresSubjectKeys } from "../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { createPostgresImports } from "../../infrastructure/postgres/imports.ts";
import { secretBox } from "../../infrastructure/secrets.ts";
import { parsed } from "../../programs/command-line.ts";
import { REPLAY, replay } from "../../programs/replay-command.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../simulation/memory/subject-keys.ts";
import { at, contact, creation } from "../domain/campaign/example-campaign.ts";
import { callRequest, connected, cut, sessionBegan, spoken } from "../projections/example-events.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { runProgram } from "./run-program.ts";

const campaignId = "cmp_told";

/** Two campaigns: one that kept the rules, and one with a dial after its pause. */
function history(id: "cmp_told" | "cmp_wrong"): CampaignEvent[] {
  const moment = (seconds: number) => ({ campaignId: id, at: at(seconds) }) as const;
  const contacts = [contact(1, { name: "Ada" })];
  const evidence = {
    localTime: "2026-09-01T13:00:04.000+03:00",
    utcOffsetMinutes: 180,
    timezone: "Europe/Istanbul",
    window: null,
    activeCalls: 1,
    effectiveMaxConcurrentCalls: 10,
    availableCredits: 100_000,
    attempt: 1,
  };
  const dial = {
    contactId: "ctc_1",
    callId: "call_1",
    phoneNumber: "+14155550101",
    attempt: 1,
    evidence,
  } as const;
  return [
    { type: "ContactsImported", data: { ...moment(0), importId: "imp_1", firstIndex: 0, contacts } },
    { type: "CampaignCreated", data: { ...creation(1), ...moment(1) } },
    { type: "CampaignStarted", data: moment(2) },
    { type: "CampaignPaused", data: { ...moment(3), reason: "manual", nextWindowOpensAt: null } },
    ...(id === "cmp_wrong"
      ? [{ type: "ContactDialed", data: { ...moment(4), ...dial, dialAt: at(4), dialBy: at(19) } } as const]
      : []),
  ];
}

const SESSION = { callId: "call_told", at: at(9), epoch: 1 } as const;
const CALL: readonly CallEvent[] = [
  callRequest({
    ...{ callId: "call_told", owner: "usr_1", campaignId: null, contactId: null, attempt: 1 },
    at: at(5),
  }),
  connected("call_told", at(6), "ref"),
  sessionBegan(SESSION, null),
  spoken(SESSION, { index: 0, role: "assistant", content: "Hello there", kind: "greeting" }),
  cut(SESSION, 0, "Hello"),
];

describe("npm run replay, beside whatever uses the database", () => {
  let database: TestDatabase;
  let eventStore: EventStore;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await migratedDatabase();
    eventStore = createPostgresEventStore(silentLogger, {
      connection: { connectionString: database.connectionString },
    });
    env = { DATABASE_URL: database.connectionString, SECRETS_KEY: Buffer.alloc(32, 1).toString("base64") };
    const keys = createPostgresSubjectKeys(database.pool, secretBox(Buffer.alloc(32, 1)));
    const imports = createPostgresImports(database.pool, keys);
    const codec = createEventCodec(keys);
    const metadata = {
      correlationId: "c",
      causationId: null,
      actor: "key_1",
      owner: "usr_1",
      schemaVersion: 1,
    };
    for (const id of ["cmp_told", "cmp_wrong"] as const) {
      const importId = `imp_of_${id}` as const;
      await imports.begin({ importId, campaignId: id, owner: "usr_1", at: at(0) });
      const stored = await eventsToAppend(codec, "usr_1", history(id));
      await eventStore.append(campaignStream(id), "no_stream", stored);
    }
    // As it was stored before words were sealed: its call has no key.
    const told = CALL.map((event) => ({ id: systemIds.uuid(), ...codec.asJson(event), metadata }));
    await eventStore.append(callStream("call_told"), "no_stream", told);
  });
  afterAll(async () => {
    await eventStore.close();
    await database.drop();
  });

  async function replayed(
    ...args: string[]
  ): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
    const lines: string[] = [];
    const code = await replay(parsed(REPLAY, args), readConfig(env), silentLogger, (line) =>
      lines.push(line),
    );
    return { code, lines };
  }

  it("tells the history in the local time of the campaign's zone", async () => {
    const { code, lines } = await replayed(campaignId);
    expect([code, lines.length]).toEqual([0, 4]);
    expect(lines[1]).toMatch(/^2026-09-01 13:00:01 \+03:00 {2}“Example” created: 1 contacts/);
    expect(lines[3]).toBe("2026-09-01 13:00:03 +03:00  paused: by its owner; only a resume ends it");
  });

  it("tells a call with what was said on it, also as JSON lines", async () => {
    const { code, lines } = await replayed("call_told");
    expect([code, lines.length]).toEqual([0, CALL.length]);
    expect(lines.at(-1)).toBe(`${at(9)}  message 0 was cut after 700 ms; heard: “Hello”`);
    const json = (await replayed("call_told", "--json")).lines.map((line) => JSON.parse(line));
    expect(json.map(({ type }) => type)).toEqual(CALL.map(({ type }) => type));
    expect(json.at(-1).data).toMatchObject({ heard: "Hello", precision: "exact" });
  });

  it("shows the state at a time, for a person and for a machine", async () => {
    const told = await replayed(campaignId, "--at", at(2));
    expect(told.lines[0]).toMatch(/RUNNING$/);
    expect(told.lines[2]).toContain("ctc_1 Ada +14155550101: pending");
    const { lines } = await replayed(campaignId, "--at", at(3), "--json");
    expect(JSON.parse(lines.join(""))).toMatchObject({
      campaign: { status: "PAUSED", pauseReason: "manual" },
    });
  });

  it("gives the events as JSON lines", async () => {
    const { lines } = await replayed(campaignId, "--json");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(history(campaignId).map(({ type }) => type));
  });

  it("ends with 1 and names the events when the history breaks a rule", async () => {
    const good = await replayed(campaignId, "--verify");
    expect([good.code, good.lines]).toEqual([0, [expect.stringContaining("keeps all")]]);
    const bad = await runProgram("replay.ts", ["cmp_wrong", "--verify", "--json"], env);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout).broken).toContainEqual(
      expect.objectContaining({ rule: "dial-only-while-running" }),
    );
  });

  it("says in one line what it does not know or understand", async () => {
    await expect(replayed("cmp_nobody")).rejects.toThrow("The log has no campaign cmp_nobody.");
    await expect(replayed(campaignId, "--at", "yesterday")).rejects.toThrow(/^--at takes a time such as .*$/);
    await expect(replayed()).rejects.toThrow("One id of a campaign (cmp_…) or of a call (call_…) is needed");
    await expect(replayed("call_nobody")).rejects.toThrow("The log has no call call_nobody.");
    await expect(replayed("call_told", "--verify")).rejects.toThrow(
      "--at, --contact and --verify take a campaign",
    );
  });

  it("rebuilds the read models there", async () => {
    const { code, stdout } = await runProgram("rebuild.ts", ["campaigns", "contacts"], env);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("campaigns, contacts: built again and in place (14 events"),
    ]);
    const { rows } = await database.pool.query("select id from read.campaigns_v4 order by id");
    expect(rows).toEqual([{ id: "cmp_told" }, { id: "cmp_wrong" }]);
  });
});
