
import process from "node:process";
import { openBenchDatabase } from "./bench-database.ts";
import { processorSeconds } from "./processor-time.ts";
import { createPostgresEventStore } from "../infrastructure/log/postgres/event-store.ts";
import { verifyLog } from "../application/verification/read-log.ts";
import { pageQuery } from "../infrastructure/log/postgres/page-query.ts";
const EVENTS_OF_CALL = 12;
const CALLS = 20000, NUMBERS = 4000, DAYS = 60;
const owner = "usr_01k4b2s9h3e8t9v0w1x2y3z4a5";
const database = await openBenchDatabase();
await database.pool.query(MANY(), [owner, 0, CALLS, NUMBERS, DAYS, CALLS]);
await database.pool.query("vacuum analyze log.events");
const silent: any = { debug() {}, info() {}, warn() {}, error() {} };
const store = createPostgresEventStore(silent, { connection: database.connection, readers: 2 });
const policy: any = { callableHours: { start: 9, end: 20 }, attemptsPerNumber: { day: 1, week: 3, month: 8 }, oneCallAtATime: true, exceptSingleCalls: false };
const types = ["ContactDialed","CallRequested","CallDialingBegan","CallCompleted","CallFailed","PolicyChanged"];
for (let i = 0; i < 3; i++) {
  const all = processorSeconds(process.pid), own = process.cpuUsage(); const t = performance.now();
  const v = await verifyLog(store, { policy, owner: owner as any, from: null, until: new Date().toISOString() as any, tzdata: "2026a" });
  const o = process.cpuUsage(own);
  console.log("verifyLog wall", performance.now() - t, "own", (o.user + o.system) / 1e6, "all", processorSeconds(process.pid) - all, v.dials, v.count);
}
for (const filter of [{ types, owner, outsideOfCampaigns: ["CallRequested"] }, { types, outsideOfCampaigns: ["CallRequested"] }, { types, owner }]) {
  const all = processorSeconds(process.pid), own = process.cpuUsage(); const t = performance.now();
  let after = "", n = 0, pages = 0;
  for (;;) { const p = await store.readAll({ after, limit: 5000, filter } as any); n += p.events.length; pages++; after = p.next; if (p.atEnd) break; }
  const o = process.cpuUsage(own);
  console.log(Object.keys(filter).join(), "read only wall", performance.now() - t, "own", (o.user + o.system) / 1e6, "all", processorSeconds(process.pid) - all, n, pages);
}
const q = pageQuery({ after: 100000, before: null, backward: false }, 5000, { types, owner, outsideOfCampaigns: ["CallRequested"] });
await database.pool.query("set enable_seqscan=off");
const { rows } = await database.pool.query("explain (analyze, buffers) " + q.text, [...q.values] as any);
console.log(rows.map((r: any) => r["QUERY PLAN"]).join("\n"));
await store.close();
await database.stop();

function MANY() { return `
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
) as e(nr, ofCampaign, type, data)`; }
