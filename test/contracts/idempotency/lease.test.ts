import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Idempotency, IdempotentRequest } from "../../../application/ports/idempotency.ts";
import { createPostgresIdempotency } from "../../../infrastructure/account/idempotency.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import { openTestPool, type TestDatabase } from "../../support/postgres.ts";

const NOW = { waitMillis: 0 };
/** Renewed every 3 s, looked at every second: 6 s are left, and one for a machine that is busy. */
const LEAST_LEFT_MILLIS = 5_000;

let database: TestDatabase;
/** One connection: what is asked last is answered after every renewal before it. */
let holderPool: pg.Pool;
let holder: Idempotency;
let other: Idempotency;
let request: IdempotentRequest;
let number = 0;
beforeAll(async () => {
  database = await migratedDatabase();
  holderPool = openTestPool(database.connectionString, 1);
  holder = createPostgresIdempotency(holderPool, silentLogger);
  other = createPostgresIdempotency(database.pool, silentLogger);
});
afterAll(async () => {
  await holderPool.end();
  await database.drop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  number += 1;
  const ids = { callId: `call_${number}` };
  const place = { owner: "usr_1", method: "POST", path: "/calls/outbound" } as const;
  request = { ...place, key: `lease ${number}`, bodyHash: "a", ids };
});
afterEach(() => vi.useRealTimers());

const asked = () => ({ ...request, ids: { callId: "call_other" } });

async function claimed() {
  const begun = await holder.begin(request, NOW);
  if (begun.kind !== "claimed") throw new Error(`expected a claim, got ${begun.kind}`);
  return begun.claim;
}

/** So much time passes for the database. */
async function passThere(millis: number): Promise<void> {
  await database.pool.query(
    "update work.idempotency_keys set lease_until = lease_until - $2 * interval '1 millisecond' where key = $1",
    [request.key, millis],
  );
}

/** So much time passes for the holder, and what it asked for meanwhile is answered. */
async function passHere(millis: number): Promise<void> {
  vi.advanceTimersByTime(millis);
  await holderPool.query("select 1");
}

async function left(): Promise<number> {
  const { rows } = await database.pool.query(
    "select extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as millis from work.idempotency_keys where key = $1",
    [request.key],
  );
  return rows[0].millis;
}

describe("the lease of a key", () => {
  it("never comes near its end while its holder lives", async () => {
    const claim = await claimed();
    for (let second = 0; second < 30; second += 1) {
      await passThere(1_000);
      await passHere(1_000);
      expect(await left()).toBeGreaterThan(LEAST_LEFT_MILLIS);
    }
    expect(await other.begin(asked(), NOW)).toEqual({ kind: "in_flight" });
    await claim.free();
  });

  it("that lapsed is not renewed: a holder that stood still for so long has lost it", async () => {
    const claim = await claimed();
    await passThere(10_001);
    await passHere(30_000);
    expect(await left()).toBeLessThan(0);
    const taken = await other.begin(asked(), NOW);
    expect(taken).toMatchObject({ kind: "claimed", takenOver: true, ids: request.ids });
    await claim.free();
  });

  it("that somebody else took is not prolonged by the holder before", async () => {
    const claim = await claimed();
    const values = ["another process", request.key];
    await database.pool.query("update work.idempotency_keys set holder = $1 where key = $2", values);
    await passThere(8_000);
    await passHere(30_000);
    expect(await left()).toBeLessThan(2_000);
    await claim.free();
  });

  it("is renewed no more when its claim has ended", async () => {
    const claim = await claimed();
    await claim.abandon();
    await passHere(30_000);
    expect(await other.begin(asked(), NOW)).toMatchObject({ kind: "claimed", takenOver: true });
  });
});
