import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { campaignImportRoutes } from "../../contract/campaign-import.ts";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result } from "../benchmark.ts";
import { bodyMemory } from "../body-memory.ts";
import { campaignBody, createCampaign, type References, references } from "../campaign-set-up.ts";
import { meanwhile } from "../load-meter.ts";
import { row } from "../rows.ts";

const CONTACTS = 10_000;
const RUNS = Number(process.env["CREATE_RUNS"] ?? 5);

/** A campaign of 10,000 contacts over HTTP, until every read model shows it, under other load. */
export const benchmark: Benchmark = { name: "create-campaign", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService();
  const given = await references(service);
  await createCampaign(service, given, 100);
  const stalls: number[] = [];
  const others: { readonly p99: number; readonly longest: number }[] = [];
  await service.pool.query("create table bench_contacts (line text not null)");
  const medians = await alternate(
    [
      {
        name: "ringfold",
        run: async () => {
          const { milliseconds, stall, other } = await createOne(service, given);
          stalls.push(stall);
          others.push(other);
          log(`${Math.round(milliseconds)} ms, longest stall ${Math.round(stall)} ms`);
          return milliseconds;
        },
      },
      { name: "limit", run: () => limit(service, given) },
    ],
    RUNS,
  );
  const quiet = await meanwhile(
    service,
    "/api/v1/campaigns?limit=1",
    () => new Promise((done) => setTimeout(done, 1_000)),
  );
  const settings = await settingsOf(service);
  const bytes = JSON.stringify(campaignBody(given, CONTACTS)).length;
  await service.remove();
  const memory = await bodyMemory();
  return {
    benchmark: "create-campaign",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CONTACTS,
      body: `${(bytes / 2 ** 20).toFixed(2)} MiB`,
      limit: "JSON.parse, zod, libphonenumber and one COPY of the same bytes, in one process",
      "stalls by": "perf_hooks.monitorEventLoopDelay of the service, its own 10 ms included",
      "p99 of others on the idle service": `${quiet.p99.toFixed(1)} ms`,
      runs: `${RUNS}, alternating`,
    },
    rows: [
      row("create 10,000 contacts", "ms", medians, { timesAtMost: 2, of: "limit" }),
      row("longest stall of the event loop meanwhile", "ms", { ringfold: median(stalls) }, { atMost: 50 }),
      row(
        "other requests meanwhile, p99",
        "ms",
        { ringfold: median(others.map(({ p99 }) => p99)) },
        { atMost: 100 },
      ),
      row("other requests meanwhile, longest", "ms", {
        ringfold: median(others.map(({ longest }) => longest)),
      }),
      ...memory,
    ],
  };
}

async function createOne(service: BenchService, given: References) {
  await longestStall(service); // each reading resets the meter
  let milliseconds = 0;
  const other = await meanwhile(service, "/api/v1/campaigns?limit=1", async () => {
    const began = performance.now();
    await createCampaign(service, given, CONTACTS);
    milliseconds = performance.now() - began;
  });
  return { milliseconds, stall: await longestStall(service), other };
}

/** Since the last reading, in ms. */
async function longestStall({ url }: BenchService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1_000;
}

/** The lower limit: the bytes are parsed, checked and stored once, without guarantees. */
async function limit({ pool, dataDir }: BenchService, given: References): Promise<number> {
  const text = JSON.stringify(campaignBody(given, CONTACTS));
  const began = performance.now();
  const { contacts } = campaignImportRoutes.createCampaign.body.parse(JSON.parse(text));
  const possible = [...contacts].filter(({ number }) => number.ok);
  if (possible.length !== CONTACTS) throw new Error(`${possible.length} numbers are possible`);
  const file = join(dataDir, "contacts.txt");
  writeFileSync(file, `${possible.map((contact) => JSON.stringify(contact)).join("\n")}\n`, { mode: 0o644 });
  await pool.query(`copy bench_contacts from '${file}' with (format text, delimiter E'\\x01')`);
  return performance.now() - began;
}
