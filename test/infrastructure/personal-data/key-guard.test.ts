import { afterEach, beforeEach, expect, it } from "vitest";
import type { StoredEvent } from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { openGate } from "../../../application/restore/dial-gate.ts";
import { GateClosedError } from "../../../application/restore/gate-closed.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { guardKeys, type KeyGuard, withKeys } from "../../../infrastructure/personal-data/key-guard.ts";
import { createPostgresCheckpoints } from "../../../infrastructure/postgres/checkpoints.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import { openTestPool, type TestDatabase } from "../../support/postgres.ts";

const OURS = "usr_ours";

let database: TestDatabase;
let stop: AbortController;
/** Looks that have begun: each one waits for the clock in between. */
let looks: number;
/** What the operator reads. */
let told: unknown[];

beforeEach(async () => {
  database = await migratedDatabase();
  await database.pool.query("insert into config.users values ($1, $1, 100, 1000, true, now(), now())", [
    OURS,
  ]);
  stop = new AbortController();
  looks = 0;
  told = [];
});
afterEach(async () => {
  stop.abort();
  await database.drop();
});

function guarded(pool = database.pool): KeyGuard {
  const sleep = async () => {
    looks += 1;
    await systemClock.sleep(2, stop.signal);
  };
  const logger: Logger = {
    ...silentLogger,
    error: (fields, text) => void told.push(["error", fields, text]),
    warn: (fields, text) => void told.push(["warn", fields, text]),
  };
  return guardKeys({ pool, clock: { sleep }, logger, stop: stop.signal });
}

/** As the feed parks an event whose words have no key here. */
async function park(subject: string, owner: string): Promise<void> {
  const stored: StoredEvent = {
    id: "0b0c3c8e-9a44-4b0e-8f3b-8a9d1d9f1f10",
    stream: `call-${subject}`,
    revision: 0,
    position: subject,
    type: "CallRequested",
    created: instantFromMillis(0),
    data: { callId: subject, sealed: "words" },
    metadata: { owner, actor: "key_1", correlationId: "c", causationId: null, schemaVersion: 1 },
  };
  await createPostgresCheckpoints(database.pool).park("feed", stored, `no key of ${subject}`);
}

const seen = async (until: () => boolean) => {
  while (!until()) await systemClock.sleep(2);
};
const looksAgain = async () => {
  const before = looks;
  await seen(() => looks >= before + 2);
};
const passes = (gate: { readonly requireOpen: () => void }) => () => gate.requireOpen();

it("nobody passes the gate before the first look at the keys", async () => {
  const lock = await database.pool.connect();
  await lock.query("begin");
  await lock.query("lock table config.subject_keys in access exclusive mode");
  const guard = guarded();
  const gate = withKeys(openGate, guard);
  let opened = false;
  let decided = false;
  void gate.opened.then(() => {
    opened = true;
  });
  void gate.decided.then(() => {
    decided = true;
  });
  await openGate.opened;
  await systemClock.sleep(1);
  try {
    expect(gate.state()).toBe("asking");
    expect(passes(gate)).toThrow(GateClosedError);
    expect([opened, decided]).toEqual([false, false]);
  } finally {
    await lock.query("rollback");
    lock.release();
  }
  await gate.opened;
  expect(gate.state()).toBe("open");
  expect(passes(gate)).not.toThrow();
});

it("a missing key of a call of ours stops all dialling", async () => {
  const guard = guarded();
  const gate = withKeys(openGate, guard);
  await gate.opened;
  await park("call_ours", OURS);
  await seen(() => guard.broken.aborted);
  expect([gate.state(), guard.lost()]).toEqual(["shut", ["call_ours"]]);
  expect(passes(gate)).toThrow("Keys of calls or campaigns are missing");
});

it.each(["while it runs", "before it starts"])(
  "what another installation writes under our prefix stops nothing: %s",
  async (when) => {
    if (when === "before it starts") await park("call_foreign", "usr_theirs");
    const guard = guarded();
    const gate = withKeys(openGate, guard);
    await guard.looked;
    if (when === "while it runs") await park("call_foreign", "usr_theirs");
    await looksAgain();
    expect([gate.state(), guard.lost(), guard.broken.aborted]).toEqual(["open", [], false]);
    expect(passes(gate)).not.toThrow();
  },
);

it("each change of what is missing is told once, with the calls and the way out", async () => {
  const guard = guarded();
  await guard.whole;
  const park20 = Array.from({ length: 19 }, (_, index) => `call_${String(index).padStart(2, "0")}`);
  for (const subject of park20) await park(subject, OURS);
  await seen(() => guard.lost()?.length === 19);
  await looksAgain();
  const last = () => told.at(-1);
  expect(last()).toEqual([
    "error",
    { missing: park20 },
    expect.stringMatching(/damage: call_00, .*, call_18\. Nobody is dialled\. .*DELETE \/api\/v1\/calls/),
  ]);
  const before = told.length;
  await looksAgain();
  expect(told).toHaveLength(before);
  for (const subject of ["call_19", "call_20"]) await park(subject, OURS);
  await seen(() => guard.lost()?.length === 20);
  await looksAgain();
  expect(last()).toEqual([
    "error",
    { missing: [...park20, "call_19"] },
    expect.stringContaining("call_19 and others. Nobody"),
  ]);
});

it("a key that is put back opens what was shut from the start, but not what was broken later", async () => {
  await park("call_ours", OURS);
  const guard = guarded();
  const gate = withKeys(openGate, guard);
  await gate.decided;
  expect([gate.state(), guard.broken.aborted]).toEqual(["shut", false]);
  const keyOf = (subject: string) =>
    database.pool.query("insert into config.subject_keys (subject, owner_id) values ($1, $2)", [
      subject,
      OURS,
    ]);
  await keyOf("call_ours");
  await gate.opened;
  expect([gate.state(), guard.lost()]).toEqual(["open", []]);
  await park("call_later", OURS);
  await seen(() => guard.broken.aborted);
  await keyOf("call_later");
  await seen(() => guard.lost()?.length === 0);
  expect(guard.broken.aborted).toBe(true);
});

it("while the keys cannot be looked at nobody passes, it is told, and it is tried again", async () => {
  const rename = (from: string, to: string) =>
    database.pool.query(`alter table config.${from} rename to ${to}`);
  await rename("subject_keys", "away");
  const guard = guarded();
  const gate = withKeys(openGate, guard);
  await guard.looked;
  expect([gate.state(), guard.lost()]).toEqual(["asking", null]);
  expect(passes(gate)).toThrow("have not been looked at");
  expect(told[0]).toEqual([
    "warn",
    { problem: expect.stringContaining("subject_keys") },
    "the keys of calls and campaigns cannot be looked at; tried again",
  ]);
  await rename("away", "subject_keys");
  await gate.opened;
  expect(gate.state()).toBe("open");
});

it("a campaign whose contacts have lost their key stops all dialling, with a sentence of its own", async () => {
  await database.pool.query(
    `insert into work.imports (import_id, campaign_id, begun_at, keyed)
     values ('imp_1', 'cmp_lost', now(), true), ('imp_2', 'cmp_of_an_older_release', now(), false)`,
  );
  const guard = guarded();
  const gate = withKeys(openGate, guard);
  await guard.looked;
  expect([gate.state(), guard.lost()]).toEqual(["shut", ["cmp_lost"]]);
  expect(told.at(-1)).toEqual([
    "error",
    { missing: ["cmp_lost"] },
    expect.stringMatching(/damage: cmp_lost\. Nobody is dialled\. .*it is not deleted\. .*personal-data/),
  ]);
  expect(JSON.stringify(told)).not.toContain("DELETE /api/v1/calls");
  await database.pool.query(
    "insert into config.subject_keys (subject, owner_id, erased_at) values ('cmp_lost', 'usr_ours', now())",
  );
  await gate.opened;
  expect(guard.lost()).toEqual([]);
});

/** Keys of 20,000 calls, of which the last 5,000 have a slot. */
const CALLS = `
with call as (select 'call_' || lpad(n::text, 6, '0') as id, n from generate_series(1, 20000) n), slot as (
  insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls,
    max_concurrent_calls, available_credits, closed_at)
  select id, $1, 1, now(), now(), now(), false, 1, 1, 1, now() from call where n > 15000
) insert into config.subject_keys (subject, owner_id) select id, $1 from call`;

it.each(["without", "with"])(
  "of the keys of calls only those of the last day are read, and each one that is missing is found, %s statistics",
  async (statistics) => {
    const pool = openTestPool(database.connectionString, 1);
    await pool.query(CALLS, [OURS]);
    if (statistics === "with") await pool.query("analyze");
    const keysRead = async () => {
      await pool.query("select pg_stat_force_next_flush()");
      const { rows } = await pool.query(
        `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relid = 'config.subject_keys'::regclass)
           as count from pg_stat_user_tables where relid = 'config.subject_keys'::regclass`,
      );
      return Number(rows[0].count);
    };
    const before = await keysRead();
    await guarded(pool).whole;
    expect((await keysRead()) - before).toBeLessThan(6_000);
    const lost = ["call_015001", "call_019700", "call_020000"];
    await pool.query("delete from config.subject_keys where subject = any($1) or subject < 'call_000010'", [
      lost,
    ]);
    const guard = guarded(pool);
    await guard.looked;
    expect(guard.lost()).toEqual(lost);
    stop.abort();
    await pool.end();
  },
);
