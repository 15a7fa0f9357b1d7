import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { anything } from "../bench-api.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result, type Row } from "../benchmark.ts";
import { type References, references } from "../campaign-set-up.ts";
import { CONTACTS, copyHistory, takeHistory } from "../copied-history.ts";
import { processorSeconds } from "../processor-time.ts";
import { row } from "../rows.ts";
import { runCampaigns, untilIdle } from "../run-campaign.ts";

/** BIG_LOG_EVENTS=100000,1000000,10000000 for the sizes of the goal. */
const SIZES = (process.env["BIG_LOG_EVENTS"] ?? "100000,1000000").split(",").map(Number);
const ON_TOP = Number(process.env["BIG_LOG_CONTACTS"] ?? 500);
const ROUNDS = 3;
const ASKED = 20;
const TIMES = 1.2;
const ENV = { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" };

/**
 * The same in logs of growing sizes, with all that the service keeps beside them: whole calls on top, reads,
 * starts, and the disk of a call. Blocks are those of PostgreSQL that the statements touched.
 */
export const benchmark: Benchmark = { name: "big-log", run: ({ log }) => measure(log) };

type Figures = Map<string, { readonly unit: string; readonly ofSize: Map<string, number> }>;

async function measure(log: (line: string) => void): Promise<Result> {
  let service = await startBenchService({ env: ENV });
  const { dataDir, apiKey } = service;
  const again = () => startBenchService({ env: ENV, dataDir, apiKey });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  log(`a campaign of ${CONTACTS}`);
  await runCampaigns(service, receiver, given, 1, CONTACTS);
  const history = await takeHistory(service.pool);
  await service.pool.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  const places = await placesIn(service);
  const figures: Figures = new Map();
  const sizes: string[] = [];
  for (const size of SIZES) {
    await service.stop();
    const began = performance.now();
    await copyHistory(dataDir, history, size);
    const minutes = (performance.now() - began) / 60_000;
    service = await again();
    await service.pool.query("create extension if not exists pg_stat_statements");
    const events = await one(service, "select count(*)::int as n from log.events");
    const name = events.toLocaleString("en");
    sizes.push(name);
    log(`${name} events, filled in ${minutes.toFixed(1)} minutes`);
    const note = (what: string, unit: string, value: number): void => {
      log(`${name}: ${what}: ${value.toPrecision(3)} ${unit}`);
      const known = figures.get(what) ?? { unit, ofSize: new Map<string, number>() };
      known.ofSize.set(name, value);
      figures.set(what, known);
    };
    note("filling", "min", minutes);
    await disk(service, note, log);
    service = await starts(service, again, note, log);
    await calls(service, () => runCampaigns(service, receiver, given, 1, ON_TOP), note, log);
    await reads(service, places, given, note);
  }
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  return {
    benchmark: "big-log",
    settings: { ...settings, ...LIMITS_SHOWN, "on top": `${ON_TOP} contacts, ${ROUNDS} times`, asked: ASKED },
    rows: [...figures].map(([what, { unit, ofSize }]) => rowOf(what, unit, sizes, ofSize)),
  };
}

type Note = (what: string, unit: string, value: number) => void;

function rowOf(
  what: string,
  unit: string,
  sizes: readonly string[],
  ofSize: ReadonlyMap<string, number>,
): Row {
  const [first = "", ...later] = sizes;
  const medians = Object.fromEntries(ofSize);
  const worst = Math.max(...later.map((size) => (ofSize.get(size) ?? Number.NaN) / (ofSize.get(first) ?? 0)));
  const plain = row(what, unit, medians);
  if (later.length === 0 || what === "filling") return plain;
  return { ...plain, goal: `≤ ${TIMES}× the first (${worst.toFixed(2)}×)`, reached: worst <= TIMES };
}

/** Tables that grow with calls, by what a call takes of them. */
async function disk(service: BenchService, note: Note, log: (line: string) => void): Promise<void> {
  const made = await one(service, "select count(*)::int as n from read.calls_v3");
  const { rows } = await service.pool.query<{ name: string; heap: number; indexes: number; each: string }>(
    `select schemaname || '.' || relname as name, (pg_table_size(relid))::float8 as heap, (pg_indexes_size(relid))::float8 as indexes,
       (select string_agg(indexrelname || ' ' || pg_relation_size(indexrelid) / $1, ', ') from pg_stat_user_indexes i where i.relid = t.relid) as each
     from pg_stat_user_tables t order by pg_total_relation_size(relid) desc limit 20`,
    [made],
  );
  for (const { name, heap, indexes, each } of rows)
    log(`  ${name}: ${Math.round(heap / made)} + ${Math.round(indexes / made)} bytes a call (${each})`);
  const all = rows.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  note("disk of a call", "KB", all / made / 1_000);
}

/** The second start, whose files are in memory; the first is after the filling. */
async function starts(
  service: BenchService,
  again: () => Promise<BenchService>,
  note: Note,
  log: (line: string) => void,
): Promise<BenchService> {
  let running = service;
  const ready: number[] = [];
  const processor: number[] = [];
  const blocks: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await forget(running);
    await running.stop();
    running = await again();
    processor.push(processorSeconds(running.pid));
    ready.push(running.readyMs);
    await untilIdle(running);
    await wait(2_000);
    blocks.push(await touched(running));
  }
  note("start to ready, processor", "s", median(processor));
  note("start to ready", "ms", median(ready));
  note("start and two seconds after it, blocks", "blocks", median(blocks));
  await dearest(running, log);
  return running;
}

async function calls(
  service: BenchService,
  run: () => ReturnType<typeof runCampaigns>,
  note: Note,
  log: (line: string) => void,
): Promise<void> {
  await run();
  await forget(service);
  const spent: number[] = [];
  const blocks: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await touched(service);
    const figures = await run();
    spent.push(figures.untilIdle.processorMsPerCall);
    blocks.push(((await touched(service)) - before) / figures.calls);
  }
  note("a whole call, processor", "ms", median(spent));
  note("a whole call, blocks", "blocks", median(blocks));
  await dearest(service, log);
}

type Places = {
  readonly call: string;
  readonly campaign: string;
  readonly contact: string;
  readonly number: string;
  readonly during: string;
};

/** Of the first campaign, which is the oldest of the log, and of no number that is called again on top. */
async function placesIn({ pool }: BenchService): Promise<Places> {
  const { rows } = await pool.query<Places>(
    `select c.id as call, c.campaign_id as campaign, c.request->>'contactId' as contact, c.to_number as number,
       c.progress->>'endedAt' as during
     from read.calls_v3 c where c.status = 'completed' order by c.to_number desc limit 1`,
  );
  const [places] = rows;
  if (places === undefined) throw new Error("no call was completed");
  return places;
}

const paged = z.object({ pagination: z.object({ nextCursor: z.string() }) });

async function reads(
  service: BenchService,
  places: Places,
  { assistantId }: References,
  note: Note,
): Promise<void> {
  const { call, campaign, contact, number, during } = places;
  const oldest = await oldTime(service);
  const deep = async (path: string): Promise<string> => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    return `${path}&cursor=${encodeURIComponent(paged.parse(await answer.json()).pagination.nextCursor)}`;
  };
  const digits = number.slice(-7);
  const cases: Readonly<Record<string, string>> = {
    "GET a call": `/calls/${call}`,
    "events of a call": `/calls/${call}/events`,
    "50 calls": "/calls?limit=50",
    "50 calls, deep": await deep(`/calls?limit=50&until=${oldest}`),
    "50 calls that failed": "/calls?limit=50&status=failed",
    "50 calls that failed, deep": await deep(`/calls?limit=50&status=failed&until=${oldest}`),
    "50 live calls (none)": "/calls?limit=50&status=in_progress",
    "50 calls of a campaign, that failed": `/calls?limit=50&status=failed&campaignId=${campaign}`,
    "50 calls to a number": `/calls?limit=50&to=${encodeURIComponent(number)}`,
    "50 calls of an hour": `/calls?limit=50&from=${hourAfter(oldest)}&until=${hourAfter(hourAfter(oldest))}`,
    "50 calls by 7 digits": `/calls?limit=50&q=${digits}`,
    "50 campaigns": "/campaigns?limit=50",
    "50 campaigns that are completed": "/campaigns?limit=50&status=COMPLETED",
    "a campaign": `/campaigns/${campaign}`,
    "a campaign at a moment": `/campaigns/${campaign}?at=${during}`,
    "50 contacts of a campaign": `/campaigns/${campaign}/contacts?limit=50`,
    "50 contacts of a campaign at a moment": `/campaigns/${campaign}/contacts?limit=50&at=${during}`,
    "events of a contact": `/campaigns/${campaign}/contacts/${contact}/events`,
    "a number": `/numbers/${encodeURIComponent(number)}`,
    "search: 7 digits": `/search?q=${digits}`,
    "search: a name": "/search?q=contact",
    "search: a name that nobody has": "/search?q=nobody",
    "50 events of the owner, newest": "/events?limit=50&order=desc",
    "50 events of the owner, from the beginning": "/events?limit=50",
    "50 events of the owner, of a rare type": "/events?limit=50&order=desc&types=CampaignCreated",
    "50 events of a campaign and its calls": `/events?limit=50&order=desc&campaignId=${campaign}`,
    "50 deliveries": "/webhook/deliveries?limit=50",
    "50 deliveries, deep": await deep("/webhook/deliveries?limit=200"),
    "deliveries that are dead (none)": "/webhook/deliveries?limit=50&status=dead",
    "deliveries of a call": `/webhook/deliveries?limit=50&callId=${call}`,
    "the account": "/account",
    "50 of the ledger": "/account/ledger?limit=50",
    usage: "/account/usage",
    "series of an hour": `/calls/series?step=1m&from=${oldest}&until=${hourAfter(oldest)}`,
    "50 assistants": "/assistants?limit=50",
    "an assistant": `/assistants/${assistantId}`,
  };
  for (const [what, path] of Object.entries(cases)) await read(service, what, path, note);
  const metrics = await asked(
    service,
    async () => void (await (await fetch(`${service.url}/metrics`)).text()),
  );
  note("metrics, processor", "ms", metrics.millis);
  note("metrics, blocks", "blocks", metrics.blocks);
}

async function read(service: BenchService, what: string, path: string, note: Note): Promise<void> {
  const { millis, blocks } = await asked(
    service,
    async () => void (await service.api.get(anything, `/api/v1${path}`)),
  );
  note(`${what}, processor`, "ms", millis);
  note(`${what}, blocks`, "blocks", blocks);
}

/** Of an old call of the first owner. */
async function oldTime({ pool }: BenchService): Promise<string> {
  const { rows } = await pool.query<{ at: string }>(
    `select created_at as at from read.calls_v3 where owner = (select min(id) from config.users) order by id offset 1500 limit 1`,
  );
  return rows[0]?.at ?? "";
}

const hourAfter = (at: string): string => new Date(Date.parse(at) + 3_600_000).toISOString();

async function asked(
  service: BenchService,
  ask: () => Promise<void>,
): Promise<{ readonly millis: number; readonly blocks: number }> {
  await ask();
  const blocksBefore = await touched(service);
  const before = processorSeconds(service.pid);
  for (let run = 0; run < ASKED; run += 1) await ask();
  return {
    millis: ((processorSeconds(service.pid) - before) * 1_000) / ASKED,
    blocks: ((await touched(service)) - blocksBefore) / ASKED,
  };
}

const OURS = "query not like '%pg_stat_statements%'";

/** Blocks that statements have touched so far. */
async function touched(service: BenchService): Promise<number> {
  return one(
    service,
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as n from pg_stat_statements where ${OURS}`,
  );
}

async function forget({ pool }: BenchService): Promise<void> {
  await pool.query("select pg_stat_statements_reset()");
}

async function dearest({ pool }: BenchService, log: (line: string) => void): Promise<void> {
  const { rows } = await pool.query<{ blocks: string; calls: string; query: string }>(
    `select shared_blks_hit + shared_blks_read as blocks, calls, query from pg_stat_statements where ${OURS} order by 1 desc limit 12`,
  );
  for (const { blocks, calls: count, query } of rows)
    log(`  ${blocks} blocks, ${count} times: ${query.replace(/\s+/g, " ").slice(0, 160)}`);
}

async function one({ pool }: BenchService, query: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(query);
  return rows[0]?.n ?? Number.NaN;
}
