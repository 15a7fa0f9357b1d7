import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { row } from "../rows.ts";

const CALLS = Number(process.env["ERASING_CALLS"] ?? 1_000_000);
/** Each rings busy at once, and is called twice. */
const NUMBERS = 5;

/**
 * All calls to one number erased over HTTP, among a million others: their records, keys, requests
 * of a day and webhooks.
 */
export const benchmark: Benchmark = { name: "erasing", run: ({ log }) => measure(log) };

const erasure = z.object({ status: z.string(), calls: z.number() });

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "1000" } });
  try {
    const numbers = await callAll(service);
    log(`${CALLS} calls …`);
    await others(service);
    const millis: number[] = [];
    for (const phoneNumber of numbers) {
      const began = performance.now();
      const done = await service.api.post(erasure, "/api/v1/erasures", { phoneNumber });
      millis.push(performance.now() - began);
      if (done.status !== "done" || done.calls !== 2) throw new Error(`not erased: ${JSON.stringify(done)}`);
      log(`${Math.round(millis.at(-1) ?? 0)} ms`);
    }
    return {
      benchmark: "erasing",
      settings: { ...(await settingsOf(service)), ...LIMITS_SHOWN, "other calls": CALLS, runs: NUMBERS },
      rows: [row("erase one number (2 calls)", "ms", { ringfold: median(millis) }, { atMost: 1_000 })],
    };
  } finally {
    await service.remove();
  }
}

async function callAll(service: BenchService): Promise<readonly string[]> {
  const given = await references(service);
  const numbers = Array.from({ length: NUMBERS }, (_, index) => `+1500555${String(1_006 + index * 10)}`);
  for (const to of [...numbers, ...numbers]) await start(service, { ...given, to });
  const live = "select count(*)::integer as live from work.call_slots where closed_at is null";
  for (;;) {
    const { rows } = await service.pool.query<{ live: number }>(live);
    if (rows[0]?.live === 0) break;
    await wait(100);
  }
  return numbers;
}

/** Its answer has no `data`. */
async function start({ url, apiKey }: BenchService, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v1/calls/outbound`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`a call was answered ${answer.status}: ${await answer.text()}`);
}

/** Rows like those of a real call, with other names and numbers. */
async function others({ pool }: BenchService): Promise<void> {
  const id = "'call_00' || lpad(to_hex(n), 24, '0')";
  await pool.query(`insert into read.calls_v3
    select ${id}, owner, revision, status, ended_as, campaign_id, '+1202' || lpad(n::text, 7, '0'), created_at, request, progress
    from (select * from read.calls_v3 limit 1) one, generate_series(1, ${CALLS}) n`);
  await pool.query(`insert into config.subject_keys
    select ${id}, owner_id, sealed_key, created_at from (select * from config.subject_keys limit 1) one, generate_series(1, ${CALLS}) n`);
  await pool.query(`insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, created_at)
    select 'usr_1', 'POST', '/api/v1/calls/outbound', n::text, 'hash', json_build_object('callId', ${id}), now()
    from generate_series(1, ${CALLS}) n`);
  await pool.query(`insert into work.webhook_messages (owner_id, event_id, event, call_id, occurred_at, body)
    select 'usr_1', n::text, 'call.ended', ${id}, now(), '{}' from generate_series(1, ${CALLS}) n`);
  await pool.query("vacuum analyze");
}
