import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { CallsSince, Carrier } from "../../../application/ports/carrier.ts";
import type { CarrierRoute, Carriers } from "../../../application/ports/carriers.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Restored } from "../../../application/ports/restore-guard.ts";
import { createDialGate, type DialGate, gatedCarriers } from "../../../application/restore/dial-gate.ts";
import type { CallOfTheCarrier } from "../../../domain/call/carrier-identity.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { lastSignOfLife } from "../../../infrastructure/postgres/alive.ts";
import { createRestoreGuard } from "../../../infrastructure/restore/restore-guard.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { migratedDatabase } from "../../support/database.ts";
import { memoryLog } from "../../support/memory-log.ts";
import type { TestDatabase } from "../../support/postgres.ts";

/** Waits are short: what is asked again is asked again soon. */
const clock: Clock = { ...systemClock, sleep: async () => wait(2) };
const OURS: PhoneNumber = "+15005550001";
const SHARED: PhoneNumber = "+15005550002";
const SOMEBODY: PhoneNumber = "+12025550100";
const CALL: CallId = "call_01k4b2s9h3e8t9v0w1x2y3z4a5";

let database: TestDatabase;
let folder: string;
let stop: AbortController;
let aliveAt: Instant;
/** What each connection's carrier answers, and since when it was asked. */
let answers: Map<string, CallsSince | "never">;
let asked: Map<string, Instant[]>;
const accepted: Restored[] = [];
const { codec, eventStore: log, store } = memoryLog({ clock: systemClock });

beforeEach(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-guard-"));
  stop = new AbortController();
  answers = new Map();
  asked = new Map();
  accepted.length = 0;
  await database.pool.query("insert into work.alive (alive_at) values (now() - interval '5 minutes')");
  aliveAt = (await lastSignOfLife(database.pool)) ?? instantFromMillis(0);
  for (const [index, [number, shared]] of [[OURS, false] as const, [SHARED, true] as const].entries())
    await database.pool.query(
      `insert into config.phone_numbers (id, owner_id, phone_number, active, shared, created_at, updated_at)
       values ($1, 'usr_1', $2, true, $3, now(), now())`,
      [`pn_${index}`, number, shared],
    );
});
afterEach(async () => {
  stop.abort();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const NOTHING: CallsSince = { kind: "calls", calls: [] };
const SILENT: CallsSince = { kind: "unavailable", cause: "refused" };
const rang = (callId: CallId, at: Instant = plusMillis(aliveAt, 1_000)): CallOfTheCarrier => ({
  callId,
  from: OURS,
  to: SOMEBODY,
  at,
});

function routeOf(key: string): CarrierRoute {
  const carrier: Partial<Carrier> = {
    kind: "asterisk",
    callsSince: async (since) => {
      asked.set(key, [...(asked.get(key) ?? []), since]);
      const answer = answers.get(key) ?? NOTHING;
      return answer === "never" ? new Promise(() => undefined) : answer;
    },
    placeCall: async () => ({ kind: "accepted", carrierRef: "ref" as never }),
    available: async () => true,
    refuses: async () => null,
  };
  const turn = {
    key,
    kind: "asterisk",
    audio: true,
    callsPerSecond: null,
    maxConcurrentCalls: null,
  } as const;
  return { key, owner: "usr_1", connectionId: null, turn, carrier: carrier as Carrier };
}

function start(acceptRestored: string | null = null): DialGate {
  const carriers: Pick<Carriers, "every"> = { every: async () => [...answers.keys()].map(routeOf) };
  const deps = { pool: database.pool, eventStore: log, codec, clock, carriers };
  const guard = createRestoreGuard({ ...deps, dataDir: folder, separateLog: null });
  return createDialGate({
    ...guard,
    accept: async (restored) => {
      accepted.push(restored);
      await guard.accepted();
    },
    acceptRestored,
    clock,
    logger: silentLogger,
    stop: stop.signal,
  });
}

async function dials(gate: DialGate, key: string): Promise<string> {
  const carriers: Partial<Carriers> = { route: async () => routeOf(key) };
  const route = await gatedCarriers(carriers as Carriers, gate).route("usr_1", null, null);
  const isAway = (await route?.carrier.available()) === false;
  const placed = await route?.carrier.placeCall({} as never, 0);
  expect((await route?.carrier.refuses()) === null).toBe(placed?.kind === "accepted");
  return isAway ? `away, ${placed?.kind}` : (placed?.kind ?? "");
}

it("keeps the connection of a silent carrier closed, lets the others dial, and opens it when it answers", async () => {
  answers.set("asterisk", NOTHING).set("conn_silent", SILENT).set("conn_slow", "never");
  const gate = start();
  await gate.decided;
  expect([gate.state(), [...gate.closed()].sort()]).toEqual(["open", ["conn_silent", "conn_slow"]]);
  expect(await dials(gate, "asterisk")).toBe("accepted");
  expect(await dials(gate, "conn_silent")).toBe("away, rejected");
  answers.set("conn_silent", NOTHING);
  await eventually("its opening", () => !gate.closed().includes("conn_silent"));
  expect(await dials(gate, "conn_silent")).toBe("accepted");
  expect(gate.closed()).toEqual(["conn_slow"]);
});

it("asks a carrier that was silent as of then, also after another start, and keeps it closed when it tells of unknown calls", async () => {
  answers.set("asterisk", NOTHING).set("conn_silent", SILENT);
  await start().decided;
  stop.abort();
  await database.pool.query("update work.alive set alive_at = now()");
  stop = new AbortController();
  const again = start();
  await again.decided;
  const since = plusMillis(aliveAt, -60_000);
  expect(new Set(asked.get("conn_silent"))).toEqual(new Set([since]));
  expect(millisOf(asked.get("asterisk")?.at(-1) ?? since)).toBeGreaterThan(millisOf(since));
  answers.set("conn_silent", { kind: "calls", calls: [rang(CALL)] });
  const restored = await eventually("what it tells", () => again.restored() ?? undefined);
  expect(restored).toMatchObject({ detail: { calls: 1 } });
  expect([again.state(), again.closed()]).toEqual(["open", ["conn_silent"]]);
  expect(await dials(again, "conn_silent")).toBe("away, rejected");
  const [file = ""] = await readdir(folder);
  expect(await readFile(join(folder, file), "utf8")).toContain(`${SOMEBODY},`);
  stop.abort();
  stop = new AbortController();
  const third = start(restored.value);
  await third.decided;
  expect([third.state(), third.closed(), accepted.map(({ calls }) => calls.length)]).toEqual([
    "open",
    [],
    [1],
  ]);
  const { rows } = await database.pool.query("select key from work.unasked_carriers");
  expect(rows).toEqual([]);
});

it("asks on and dials nobody while no carrier answers", async () => {
  answers.set("asterisk", SILENT);
  const gate = start();
  await gate.asked;
  expect([gate.state(), gate.waitsFor()]).toEqual(["asking", "carrier"]);
  answers.set("asterisk", NOTHING);
  await gate.opened;
  expect(gate.closed()).toEqual([]);
});

it("stays shut when a carrier tells of calls that the log does not know, though another one is silent", async () => {
  answers.set("asterisk", { kind: "calls", calls: [rang(CALL)] }).set("conn_silent", SILENT);
  const gate = start();
  await gate.decided;
  expect([gate.state(), gate.restored()?.calls.length]).toEqual(["shut", 1]);
});

it("judges calls without a name of ours by our numbers, minus those that fit an unbound dial of the log", async () => {
  const at = plusMillis(aliveAt, 10_000);
  await dialled("call_01k4b2s9h3e8t9v0w1x2y3z4b1", at, false);
  await dialled("call_01k4b2s9h3e8t9v0w1x2y3z4b2", at, true);
  const unnamed = [
    { from: OURS, to: SOMEBODY, at: plusMillis(at, 2_000) },
    { from: OURS, to: SOMEBODY, at: plusMillis(at, 3_000) },
    { from: SHARED, to: SOMEBODY, at },
    { from: "+19995550000" as const, to: SOMEBODY, at },
  ];
  // The carrier has not asked about it yet, but told its own name when it was dialled.
  const bound = { from: OURS, to: SOMEBODY, at, carrierRef: "CA1" };
  answers.set("twilio", { kind: "calls", calls: [], unnamed: [...unnamed.slice(0, 1), bound] });
  const fits = start();
  await fits.decided;
  expect(fits.state()).toBe("open");
  answers.set("twilio", { kind: "calls", calls: [], unnamed });
  const [one, other] = [start(), start()];
  await Promise.all([one.decided, other.decided]);
  // The log explains one of the two calls from our own number.
  expect([one.state(), one.restored()?.calls]).toMatchObject([
    "shut",
    [{ from: OURS, to: SOMEBODY, at: unnamed[1]?.at }],
  ]);
  expect(other.restored()?.value).toBe(one.restored()?.value);
});

/** A dial that stands in the log; `bound`: the carrier has told its own name for it. */
async function dialled(callId: CallId, at: Instant, bound: boolean): Promise<void> {
  const ringing: CallEvent = { type: "CallRinging", data: { callId, at, carrierRef: "CA1", sequence: 1 } };
  const events: CallEvent[] = [
    { type: "CallRequested", data: { ...REQUEST, callId, from: OURS, to: SOMEBODY, at } },
    { type: "CallDialingBegan", data: { callId, at } },
    ...(bound ? [ringing] : []),
  ];
  await store(callStream(callId), ...events);
  await database.pool.query(
    `insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
       max_concurrent_calls, available_credits) values ($1, 'usr_1', 1, $2, $2, $2, false, 1, 1, 1)`,
    [callId, at],
  );
}
