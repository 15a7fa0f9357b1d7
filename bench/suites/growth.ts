import process from "node:process";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { modelOf } from "../../projections/engine/projection.ts";
import { READ_MODELS } from "../../projections/read-models.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { createTestCodec } from "../../simulation/memory/subject-keys.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result, type Row } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { type Bar, drawChart } from "../chart.ts";
import { appendCalls } from "../projections-workload.ts";
import { row } from "../rows.ts";
import { type CampaignFigures, runCampaigns } from "../run-campaign.ts";

/** The same calls in 1, 10 and 100 campaigns. */
const CALLS = Number(process.env["GROWTH_CONTACTS"] ?? 10_000);
const CAMPAIGNS = [1, 10, 100] as const;
/** GROWTH_EVENTS=10000,100000,1000000 for the sizes of the goal. */
const LOG_SIZES = (process.env["GROWTH_EVENTS"] ?? "10000,100000").split(",").map(Number);
const RUNS = Number(process.env["GROWTH_RUNS"] ?? 3);
const EVENTS_OF_A_CALL = 13;
/** How many times as dear as the first of its kind a call may be. */
const BY_CAMPAIGNS = 1.1;
const BY_EVENTS = 1.2;

/** Whether calls stay as fast with many campaigns and with a long log. Draws docs/pictures/growth.svg. */
export const benchmark: Benchmark = { name: "growth", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  const costs = new Map<string, number[]>();
  const run = (name: string, campaigns: number) => async (): Promise<number> => {
    const figures = await runCampaigns(service, receiver, given, campaigns, Math.ceil(CALLS / campaigns));
    note(costs, name, figures);
    const { callsPerSecond, processorMsPerCall } = figures.untilIdle;
    log(
      `${name}: ${Math.round(callsPerSecond)} calls a second, ${processorMsPerCall.toFixed(2)} ms of processor each`,
    );
    return callsPerSecond;
  };
  await run("warming up", 1)();
  const byCampaigns = await alternate(
    CAMPAIGNS.map((count) => ({ name: `${count} campaigns`, run: run(`${count} campaigns`, count) })),
    RUNS,
  );
  const byEvents: Record<string, number> = {};
  for (const size of LOG_SIZES) {
    await fillTo(service, size);
    const name = `log of ${size.toLocaleString("en")}`;
    Object.assign(byEvents, await alternate([{ name, run: run(name, 1) }], RUNS));
  }
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  const rates = { ...byCampaigns, ...byEvents };
  const bars: Bar[] = Object.entries(rates).map(([label, value]) => ({ label, value }));
  drawChart("growth", { title: "Whole calls a second as campaigns and log grow", unit: "calls/s", bars });
  return {
    benchmark: "growth",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CALLS,
      runs: RUNS,
      goals: "processor time of a call beside the first of its kind",
    },
    rows: [...rowsOf(byCampaigns, costs, BY_CAMPAIGNS), ...rowsOf(byEvents, costs, BY_EVENTS)],
  };
}

function note(costs: Map<string, number[]>, name: string, { untilIdle }: CampaignFigures): void {
  costs.set(name, [...(costs.get(name) ?? []), untilIdle.processorMsPerCall]);
}

/**
 * The rate is shown; the goal is judged by the processor time of a call, which other load on the
 * machine affects less.
 */
function rowsOf(
  rates: Readonly<Record<string, number>>,
  costs: ReadonlyMap<string, readonly number[]>,
  times: number,
): Row[] {
  const costOf = (name: string) => median(costs.get(name) ?? []);
  const [first = ""] = Object.keys(rates);
  return Object.entries(rates).flatMap(([name, rate]) => [
    row(`${name}: whole calls`, "1/s", { ringfold: rate }),
    row(
      `${name}: processor time of a call`,
      "ms",
      { ringfold: costOf(name) },
      { atMost: Number((costOf(first) * times).toFixed(2)) },
    ),
  ]);
}

/** History of other owners until the log has so many events, and the read models have processed them. */
async function fillTo(service: BenchService, size: number): Promise<void> {
  const { rows } = await service.pool.query<{ n: number }>("select count(*)::int as n from log.events");
  const missing = size - (rows[0]?.n ?? 0);
  if (missing <= 0) return;
  const eventStore = createPostgresEventStore(silentLogger, { connection: service.connection });
  await appendCalls(
    { eventStore, codec: createTestCodec() },
    1,
    Math.ceil(missing / EVENTS_OF_A_CALL),
    1_000,
  );
  await eventStore.close();
  await untilSeen(service);
}

async function untilSeen({ pool }: BenchService): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ seen: boolean }>(
      "select bool_and(position::bigint >= (select max(position) from log.events)) as seen from read.checkpoints where model = any($1)",
      [READ_MODELS.map(modelOf)],
    );
    if (rows[0]?.seen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
