import process from "node:process";
import type { Policy } from "../../domain/policy/policy.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { verifierThread } from "../../infrastructure/verification/verifier-thread.ts";
import { type BenchDatabase, openBenchDatabase } from "../bench-database.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { processorSeconds } from "../processor-time.ts";
import { OURS, row } from "../rows.ts";

/** Of one owner; a call of a campaign has twelve. */
const EVENTS = Number(process.env["VERIFY_EVENTS"] ?? 1_000_000);
const EVENTS_OF_CALL = 12;
const CALLS = Math.ceil(EVENTS / EVENTS_OF_CALL);
/** Of them each is called some five times. */
const NUMBERS = Math.max(1, Math.ceil(CALLS / 5));
const DAYS = 60;
const RULES: Policy = {
  callableHours: { start: 9, end: 20 },
  attemptsPerNumber: { day: 1, week: 3, month: 8 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

/**
 * A policy held against a log: whole calls of one owner, numbers of two countries, one of them with eight
 * clocks. No peer: the goals are the issue's, on one core. Memory: what the process with the thread has more.
 */
export const benchmark: Benchmark = { name: "verify", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const owner = systemIds.next("usr");
  log(`${CALLS} calls of ${EVENTS_OF_CALL} events`);
  for (let first = 0; first < CALLS; first += 50_000)
    await database.pool.query(MANY_CALLS, [
      owner,
      first,
      Math.min(CALLS, first + 50_000),
      NUMBERS,
      DAYS,
      CALLS,
    ]);
  await database.pool.query("vacuum analyze log.events");
  const rest = process.memoryUsage.rss();
  let most = rest;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const { connection } = database;
  const cpu = processorSeconds(process.pid);
  const started = performance.now();
  let kept = 0;
  const verifier = verifierThread({ kind: "postgres", connection });
  const found = await verifier.verify(
    { owner, judgedBy: RULES, from: null, until: systemClock.now() },
    {
      told: () => {},
      found: (violations) => {
        kept += violations.length;
      },
    },
    new AbortController().signal,
  );
  const seconds = (performance.now() - started) / 1_000;
  const processor = processorSeconds(process.pid) - cpu;
  clearInterval(looking);
  const settings = await database.settings();
  const megabytes = await sizeOf(database);
  await database.stop();
  return {
    benchmark: "verify",
    settings: {
      ...settings,
      events: CALLS * EVENTS_OF_CALL,
      ...found.byRule,
      dials: found.dials,
      kept,
      megabytes,
    },
    rows: [
      row("a log held against a policy", "s", { [OURS]: seconds }),
      row(
        "processor time of it, with PostgreSQL",
        "s",
        { [OURS]: processor },
        { atMost: (12 * EVENTS) / 1_000_000 },
      ),
      row("memory", "MB", { [OURS]: (most - rest) / 1_000_000 }, { atMost: 300 }),
    ],
  };
}

async function sizeOf({ pool }: BenchDatabase): Promise<number> {
  const { rows } = await pool.query<{ megabytes: number }>(
    "select (pg_total_relation_size('log.events') / 1000000)::integer as megabytes",
  );
  return rows[0]?.megabytes ?? 0;
}

/** Calls $2 to $3 of $6, each whole, spread over $5 days; ids, JSON and sizes as the service writes them. */
const MANY_CALLS = `
insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
select n * ${EVENTS_OF_CALL} + e.nr, case when e.ofCampaign then 'campaign-' || campaign else 'call-' || call end,
  case when e.ofCampaign then (n % 10000) * 2 + case when e.nr = 0 then 0 else 1 end else e.nr - 1 end,
  gen_random_uuid(), e.type, $1, e.data::json,
  format('{"correlationId":"%s","causationId":null,"actor":"process:campaign-runner","owner":"%s","schemaVersion":1,"campaignId":"%s"}',
    gen_random_uuid(), $1, campaign)::json, begun
from (
  select n, 'call_' || substr(md5('call' || n), 1, 26) as call, 'ctc_' || substr(md5('contact' || n), 1, 26) as contact,
    'cmp_' || substr(md5('campaign' || n / 10000), 1, 26) as campaign,
    now() - $5 * interval '1 day' + n * ($5 * interval '1 day' / $6) as begun,
    case when n % 2 = 0 then '+90532' || lpad((n * 7919 % $4)::text, 7, '0')
      else '+1212' || lpad((2000000 + n * 7919 % $4)::text, 7, '0') end as number
  from generate_series($2::bigint, $3::bigint - 1) n
) calls
cross join lateral (
  select to_char(begun at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    to_char((begun + interval '30 seconds') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as by
) moments
cross join lateral (values
  (0, true, 'ContactDialed', format('{"campaignId":"%s","at":"%s","contactId":"%s","callId":"%s","phoneNumber":"%s","attempt":1,"dialAt":"%s","dialBy":"%s","evidence":{"activeCalls":3,"effectiveMaxConcurrentCalls":50,"availableCredits":1000000,"policyVersion":1,"judgedAt":"%s","checks":[{"rule":"oneCallAtATime","value":0,"limit":1}],"zones":null,"localTime":"2026-09-01T13:00:00","utcOffsetMinutes":180,"timezone":"Europe/Istanbul","window":{"start":9,"end":20},"attempt":1}}', campaign, at, contact, call, number, at, by, at)),
  (1, false, 'CallRequested', format('{"callId":"%s","at":"%s","owner":"%s","from":"+902125550000","to":"%s","campaignId":"%s","contactId":"%s","greetingMessage":"%s","specialInstructions":"%s","metadata":{},"dialAt":"%s","dialBy":"%s"}', call, at, $1::text, number, campaign, contact, repeat('c2VhbGVk', 40), repeat('c2VhbGVk', 60), at, by)),
  (2, false, 'CallDialingBegan', format('{"callId":"%s","at":"%s","carrier":{"kind":"simulated","connectionId":null,"instance":"sim-1"}}', call, at)),
  (3, false, 'CallRinging', format('{"callId":"%s","at":"%s","carrierRef":"sim-000001","sequence":1}', call, at)),
  (4, false, 'CallConnected', format('{"callId":"%s","at":"%s","carrierRef":"sim-000001","sequence":2,"answeredBy":"human"}', call, at)),
  (5, false, 'CallConversationStarted', format('{"callId":"%s","at":"%s","carrierRef":"sim-000001","sequence":3}', call, at)),
  (6, false, 'CallMessageAdded', format('{"callId":"%s","at":"%s","words":"%s"}', call, at, repeat('c2VhbGVk', 45))),
  (7, false, 'CallMessageAdded', format('{"callId":"%s","at":"%s","words":"%s"}', call, at, repeat('c2VhbGVk', 45))),
  (8, false, 'CallMessageAdded', format('{"callId":"%s","at":"%s","words":"%s"}', call, at, repeat('c2VhbGVk', 45))),
  (9, false, 'CallMessageAdded', format('{"callId":"%s","at":"%s","words":"%s"}', call, at, repeat('c2VhbGVk', 45))),
  (10, false, 'CallCompleted', format('{"callId":"%s","at":"%s","endReason":"customer_ended","durationSeconds":20,"cost":100}', call, at)),
  (11, true, 'ContactSucceeded', format('{"campaignId":"%s","at":"%s","contactId":"%s","callId":"%s","attempt":1,"endReason":"customer_ended","durationSeconds":20,"maxAttempts":2}', campaign, at, contact, call))
) as e(nr, ofCampaign, type, data)`;
