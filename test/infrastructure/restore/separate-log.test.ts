import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallsSince, Carrier } from "../../../application/ports/carrier.ts";
import type { CarrierRoute } from "../../../application/ports/carriers.ts";
import { START } from "../../../application/ports/event-store.ts";
import { CarrierSilentError } from "../../../application/ports/restore-guard.ts";
import { createDialGate, gatedCarriers } from "../../../application/restore/dial-gate.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { lastSignOfLife } from "../../../infrastructure/postgres/alive.ts";
import { createRestoreGuard } from "../../../infrastructure/restore/restore-guard.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { creation } from "../../domain/campaign/example-campaign.ts";
import { dialRequest } from "../../simulation/carrier/carrier-harness.ts";
import { migratedDatabase } from "../../support/database.ts";
import { type MemoryLog, memoryLog } from "../../support/memory-log.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let folder: string;
let log: MemoryLog;
let answer: CallsSince;
let asked: number;
beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-guard-"));
  log = memoryLog({ clock: movingClock(Date.now()) });
  answer = { kind: "calls", calls: [] };
  asked = 0;
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function guard(separate = true) {
  const carrier: Partial<Carrier> = {
    callsSince: async () => {
      asked += 1;
      return answer;
    },
  };
  const route: Partial<CarrierRoute> = { key: "trunk", carrier: carrier as Carrier };
  return createRestoreGuard({
    pool: database.pool,
    eventStore: log.eventStore,
    codec: log.codec,
    clock: movingClock(),
    carriers: { every: async () => [route as CarrierRoute] },
    dataDir: folder,
    separateLog: separate ? { after: START } : null,
  });
}
const alive = (ago: string) =>
  database.pool.query("insert into work.alive (alive_at) values (now() - $1::interval)", [ago]);
const append = (stream: string, owner: OwnerId, event: DomainEvent) => log.storeFor(owner, stream, event);
const campaign = (owner: OwnerId, id: `cmp_${string}`) =>
  append(`campaign-${id}`, owner, {
    type: "CampaignCreated",
    data: { ...creation(1), owner, campaignId: id },
  });
const call = (owner: OwnerId, callId: `call_${string}`) =>
  append(`call-${callId}`, owner, { type: "CallRequested", data: { ...REQUEST, owner, callId } });

describe("a database in which the service never ran", () => {
  it("may dial beside an empty log, and asks no carrier for calls of a time before it", async () => {
    expect(await guard().look()).toEqual({ restored: null, silent: [] });
    expect(await guard(false).look()).toEqual({ restored: null, silent: [] });
    expect(await guard().lookAgain(["trunk"])).toEqual({ restored: null, silent: [] });
    expect(asked).toBe(0);
  });

  it("may dial beside a log whose owners it knows", async () => {
    await database.pool.query(
      `insert into config.users (id, name, max_concurrent_calls, max_calls_per_second, active, created_at, updated_at)
       values ('usr_1', 'One', 1, 1, true, now(), now())`,
    );
    await campaign("usr_1", "cmp_1");
    expect((await guard().look()).restored).toBeNull();
    await call("usr_2", "call_2");
    expect((await guard().look()).restored?.detail).toMatchObject({ owners: 1, campaigns: 0, calls: 1 });
  });

  it("was lost where the log has work of owners that it does not know: their number is told, and how to go on", async () => {
    await campaign("usr_1", "cmp_1");
    await campaign("usr_2", "cmp_2");
    await call("usr_2", "call_1");
    const { restored } = await guard().look();
    const position = await log.eventStore.head();
    expect(restored).toMatchObject({
      value: position,
      calls: [],
      until: null,
      detail: { owners: 2, campaigns: 2, calls: 1, accept: `ACCEPT_RESTORED=${position}` },
    });
    expect(restored?.detail["howToGoOn"]).toMatch(/backup/);
    expect(restored?.line).toContain("2 campaigns and 1 call of 2 owners that this PostgreSQL does not know");
    expect(restored?.line).toContain(`start with ACCEPT_RESTORED=${position}`);
    expect(await guard(false).look()).toEqual({ restored: null, silent: [] });
  });
});

describe("a database that is older than its log", () => {
  it("is told with its last sign of life, though no carrier had a call meanwhile", async () => {
    await alive("1 day");
    await campaign("usr_1", "cmp_1");
    const aliveAt = await lastSignOfLife(database.pool);
    const position = await log.eventStore.head();
    const { restored } = await guard().look();
    expect(restored).toMatchObject({
      value: position,
      calls: [],
      until: null,
      detail: { calls: 0, position, lastAliveAt: aliveAt, accept: `ACCEPT_RESTORED=${position}` },
    });
    expect(restored?.line).toContain(`it was last alive at ${aliveAt}`);
    expect((await guard(false).look()).restored).toBeNull();
  });

  it("is none when the log has nothing newer", async () => {
    await campaign("usr_1", "cmp_1");
    await alive("0 seconds");
    expect((await guard().look()).restored).toBeNull();
  });
});

describe("calls that the log does not know", () => {
  it("are written for the operator, readable by nobody else, with what is needed to go on", async () => {
    await alive("5 minutes");
    const at = plusMillis((await lastSignOfLife(database.pool)) ?? "1970-01-01T00:00:00.000Z", 1_000);
    const [from, to] = ["+15005550001", "+12025550100"] as const;
    const calls = ["call_b", "call_a"].map((id, index) => ({
      callId: id as `call_${string}`,
      from,
      to,
      at: plusMillis(at, index * 1_000),
    }));
    answer = { kind: "calls", calls };
    const { restored } = await guard(false).look();
    const [file = ""] = await readdir(folder);
    expect(file).toBe(`restored-${restored?.value}.csv`);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, file), "utf8")).split("\n")).toEqual([
      "to,at,from,callId",
      `${to},${at},${from},call_b`,
      `${to},${plusMillis(at, 1_000)},${from},call_a`,
      "",
    ]);
    expect(restored).toMatchObject({
      until: plusMillis(at, 1_000),
      detail: {
        calls: 2,
        since: at,
        until: plusMillis(at, 1_000),
        file,
        accept: `ACCEPT_RESTORED=${restored?.value}`,
      },
    });
    expect(restored?.line).toContain(`the carrier has had 2 calls since ${at}`);
    answer = { kind: "calls", calls: calls.toReversed() };
    expect((await guard(false).look()).restored?.value).toBe(restored?.value);
  });
});

describe("the gate", () => {
  let clock: MovingClock;
  let stop: AbortController;
  let looks: number;
  let accepted: number;
  beforeEach(() => {
    clock = movingClock();
    stop = new AbortController();
    looks = 0;
    accepted = 0;
  });
  afterEach(() => stop.abort());
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((go) => setImmediate(go));
  };
  type Look = ReturnType<typeof guard>["look"];
  const gateThat = (look: Look, acceptRestored: string | null = null) =>
    createDialGate({
      look: () => {
        looks += 1;
        return look();
      },
      lookAgain: async () => ({ restored: null, silent: [] }),
      accept: async () => {
        accepted += 1;
        if (accepted === 1) throw new Error("not yet");
      },
      acceptRestored,
      clock,
      logger: silentLogger,
      stop: stop.signal,
    });
  const RESTORED = { value: "v", line: "restored", detail: {}, calls: [], until: null };

  it("asks again after half a second, then after twice as long each time, ten seconds at most", async () => {
    const gate = gateThat(async () => Promise.reject(new Error("away")));
    for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      await settle();
      const before = looks;
      clock.advance(pause - 1);
      await settle();
      expect(looks).toBe(before);
      clock.advance(1);
      await settle();
      expect(looks).toBe(before + 1);
    }
    expect([gate.state(), gate.waitsFor()]).toEqual(["asking", "event log"]);
    expect(() => gate.requireOpen()).toThrow("has not answered since the start");
  });

  it("says whom it waits for, and opens with the first answer", async () => {
    let silent = true;
    const gate = gateThat(async () => {
      if (silent) throw new CarrierSilentError("no carrier answers");
      return { restored: null, silent: [] };
    });
    await gate.asked;
    expect(gate.waitsFor()).toBe("carrier");
    silent = false;
    clock.advance(500);
    await gate.opened;
    expect([gate.state(), gate.waitsFor()]).toEqual(["open", null]);
    gate.requireOpen();
  });

  it("stays shut at restored stores, and never says that it opened", async () => {
    const gate = gateThat(async () => ({ restored: RESTORED, silent: [] }), "another");
    let opened = false;
    void gate.opened.then(() => {
      opened = true;
    });
    await gate.decided;
    await settle();
    clock.advance(60_000);
    await settle();
    expect([gate.state(), opened, accepted, looks]).toEqual(["shut", false, 0, 1]);
    expect(gate.restored()).toBe(RESTORED);
    expect(() => gate.requireOpen()).toThrow(`ACCEPT_RESTORED=${RESTORED.value}`);
  });

  it("opens at the value that the operator names once the stores are prepared", async () => {
    const gate = gateThat(async () => ({ restored: RESTORED, silent: [] }), "v");
    await settle();
    expect([gate.state(), accepted]).toEqual(["asking", 1]);
    clock.advance(500);
    await gate.opened;
    expect([gate.state(), accepted, gate.restored()]).toEqual(["open", 2, null]);
  });

  it("lets a dial fail as one that the carrier never had, which counts against no carrier, and finds no way where there is none", async () => {
    const gate = gateThat(async () => ({ restored: RESTORED, silent: [] }));
    await gate.decided;
    const dialled: string[] = [];
    const trunk: Partial<Carrier> = {
      available: async () => true,
      placeCall: async ({ callId }) => {
        dialled.push(callId);
        return { kind: "accepted", carrierRef: "ref" };
      },
    };
    const route: Partial<CarrierRoute> = { key: "trunk", carrier: trunk as Carrier };
    const carriers = (found: Partial<CarrierRoute> | null) =>
      gatedCarriers({ route: async () => found } as unknown as Parameters<typeof gatedCarriers>[0], gate);
    const through = await carriers(route).route("usr_1", null, null);
    expect(await through?.carrier.placeCall(dialRequest("+15005550006"), 0)).toMatchObject({
      kind: "rejected",
      endReason: "not_placed",
      carrierCode: null,
      noAnswerAtAll: false,
    });
    expect(dialled).toEqual([]);
    expect(await carriers(null).route("usr_1", null, null)).toBeNull();
  });
});
