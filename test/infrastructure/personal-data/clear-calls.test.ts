import { afterEach, beforeEach, expect, it } from "vitest";
import { clearCalls } from "../../../infrastructure/personal-data/postgres-erasures.ts";
import { migratedDatabase } from "../../support/database.ts";
import { tablesWith } from "../../support/database-text.ts";
import type { TestDatabase } from "../../support/postgres.ts";

/** Words of the erased call, and of one that is kept. */
const MARK = "zxqvmarkedword";
const KEPT = "qwvxkeptword";
/** More bodies than are emptied at once. */
const BODIES = 120;
const HOLDERS = [
  "work.parked_events",
  "work.webhook_attempts",
  "work.webhook_messages",
  "work.idempotency_keys",
].toSorted();

let database: TestDatabase;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database.drop());

/** A call's words in the tables of work: bodies, answers that repeat them, a parked event, a digest. */
async function told(callId: string, words: string): Promise<void> {
  const { pool } = database;
  const data = { callId, messages: [words], greetingMessage: words, recordingUrl: words, to: "+15005550006" };
  const values = [callId, JSON.stringify({ event: "call.ended", data }), words];
  await pool.query(
    `insert into work.webhook_messages (owner_id, event_id, event, call_id, occurred_at, body)
     select 'usr_1', $1::text || '_' || n, 'call.ended', $1, now(), $2 from generate_series(1, ${BODIES}) n`,
    values.slice(0, 2),
  );
  await pool.query(
    `insert into work.webhook_deliveries (owner_id, id, event_id, trigger, status, next_attempt_at, created_at)
     select owner_id, 'whd_' || event_id, event_id, 'auto', 'delivered', now(), now()
     from work.webhook_messages where call_id = $1`,
    [callId],
  );
  await pool.query(
    `insert into work.webhook_attempts
       (owner_id, delivery_id, number, trigger, started_at, class, http_status, detail, answer, answer_headers)
     select owner_id, id, 1, 'auto', now(), 'ok', 200, $2, $2, json_build_object('said', $2::text)
     from work.webhook_deliveries where event_id like $1::text || '\\_%'`,
    [callId, words],
  );
  await pool.query(
    `insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, created_at)
     values ('usr_1', 'POST', '/', $1, $2, json_build_object('callId', $1::text), now())`,
    [callId, words],
  );
  await pool.query(
    `insert into work.parked_events (processor, position, stream, type, event, problem, parked_at)
     values ('feed', $1, 'call-' || $1::text, 'CallRequested', json_build_object('words', $2::text), 'x', now())`,
    [callId, words],
  );
}

it("the words of an erased call are in no table of work any more, and those of others stay", async () => {
  await told("call_erased", MARK);
  await told("call_kept", KEPT);
  expect((await tablesWith(database.pool, MARK)).toSorted()).toEqual(HOLDERS);
  expect(await clearCalls(database.pool, ["call_erased"])).toBe(true);
  expect(await tablesWith(database.pool, MARK)).toEqual([]);
  expect((await tablesWith(database.pool, KEPT)).toSorted()).toEqual(HOLDERS);
  const kept = await database.pool.query(
    "select count(*)::integer as count from work.webhook_messages where body like $1",
    [`%${KEPT}%`],
  );
  expect(kept.rows).toEqual([{ count: BODIES }]);
});

it("what was sent is still told, without the words, and a repeated request is no new call", async () => {
  await told("call_erased", MARK);
  for (let time = 0; time < 2; time += 1) await clearCalls(database.pool, ["call_erased"]);
  const { rows } = await database.pool.query<{ body: string }>(
    "select distinct body from work.webhook_messages",
  );
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
    {
      event: "call.ended",
      data: {
        callId: "call_erased",
        messages: [],
        greetingMessage: null,
        recordingUrl: null,
        to: "+15005550006",
        erased: true,
      },
    },
  ]);
  const attempts = await database.pool.query(
    "select distinct class, http_status, detail, answer from work.webhook_attempts",
  );
  expect(attempts.rows).toEqual([{ class: "ok", http_status: 200, detail: null, answer: null }]);
  const keys = await database.pool.query("select key, body_hash from work.idempotency_keys");
  expect(keys.rows).toEqual([{ key: "call_erased", body_hash: "erased" }]);
});

it("an attempt in flight, which may still record an answer, asks to come again; another call's does not", async () => {
  await told("call_erased", MARK);
  await told("call_kept", KEPT);
  const { pool } = database;
  const start = (callId: string) =>
    pool.query(
      `insert into work.webhook_starts (owner_id, started_at, deliveries, numbers)
       values ('usr_1', now(), array['whd_another', 'whd_' || $1::text || '_7'], array[1, 1])`,
      [callId],
    );
  await start("call_kept");
  expect(await clearCalls(pool, ["call_erased"])).toBe(true);
  await start("call_erased");
  expect(await clearCalls(pool, ["call_erased"])).toBe(false);
  await pool.query("update work.webhook_attempts set answer = $1 where delivery_id = 'whd_call_erased_7'", [
    MARK,
  ]);
  await pool.query("delete from work.webhook_starts where 'whd_call_erased_7' = any(deliveries)");
  expect(await clearCalls(pool, ["call_erased"])).toBe(true);
  expect(await tablesWith(pool, MARK)).toEqual([]);
});
