import process from "node:process";
import { startBenchReceiver } from "../bench-receiver.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result, type Row } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { type Bar, drawChart } from "../chart.ts";
import { row } from "../rows.ts";
import { type CampaignFigures, runCampaigns } from "../run-campaign.ts";

/** The same calls in 1, 10 and 100 campaigns. */
const CALLS = Number(process.env["GROWTH_CONTACTS"] ?? 10_000);
const CAMPAIGNS = [1, 10, 100] as const;
const RUNS = Number(process.env["GROWTH_RUNS"] ?? 3);
/** How many times as dear as in one campaign a call may be. */
const TIMES = 1.1;

/** Whether calls stay as fast with many campaigns; of a long log: big-log. Draws docs/pictures/growth.svg. */
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
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  const bars: Bar[] = Object.entries(byCampaigns).map(([label, value]) => ({ label, value }));
  drawChart("growth", { title: "Whole calls a second as campaigns become more", unit: "calls/s", bars });
  return {
    benchmark: "growth",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CALLS,
      runs: RUNS,
      goals: "processor time of a call beside that in one campaign",
    },
    rows: rowsOf(byCampaigns, costs),
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
): Row[] {
  const costOf = (name: string) => median(costs.get(name) ?? []);
  const [first = ""] = Object.keys(rates);
  return Object.entries(rates).flatMap(([name, rate]) => [
    row(`${name}: whole calls`, "1/s", { ringfold: rate }),
    row(
      `${name}: processor time of a call`,
      "ms",
      { ringfold: costOf(name) },
      { atMost: Number((costOf(first) * TIMES).toFixed(2)) },
    ),
  ]);
}
