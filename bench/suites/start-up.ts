import process from "node:process";
import { startBenchReceiver } from "../bench-receiver.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { CONTACTS, copyHistory, takeHistory } from "../copied-history.ts";
import { row } from "../rows.ts";
import { runCampaigns } from "../run-campaign.ts";

/** START_UP_EVENTS=1000000 for the log of the goal. */
const EVENTS = Number(process.env["START_UP_EVENTS"] ?? 100_000);
const RUNS = 5;

/**
 * From the start of the process to the first 200 of /health/ready: with an empty folder, and on a log with
 * history, copies of a campaign that was called.
 */
export const benchmark: Benchmark = { name: "start-up", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const empty: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const service = await startBenchService();
    empty.push(service.readyMs);
    log(`new installation ready after ${Math.round(service.readyMs)} ms`);
    await service.remove();
  }
  const first = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const { dataDir, apiKey } = first;
  const receiver = await startBenchReceiver(first);
  await runCampaigns(first, receiver, await references(first), 1, CONTACTS);
  receiver.stop();
  const history = await takeHistory(first.pool);
  const settings = await settingsOf(first);
  await first.stop();
  await copyHistory(dataDir, history, EVENTS);
  const ready: number[] = [];
  const idle: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const service = await startBenchService({ dataDir, apiKey });
    ready.push(service.readyMs);
    idle.push(service.memory().now);
    log(`ready after ${Math.round(service.readyMs)} ms`);
    await (run === RUNS - 1 ? service.remove() : service.stop());
  }
  return {
    benchmark: "start-up",
    settings: { ...settings, ...LIMITS_SHOWN, runs: RUNS },
    rows: [
      row("new installation to ready", "ms", { ringfold: median(empty) }, { atMost: 1_500 }),
      row(
        `cold start to ready on a log of some ${EVENTS.toLocaleString("en")} events`,
        "ms",
        { ringfold: median(ready) },
        { atMost: 3_000 },
      ),
      row("memory of the idle service", "MB", { ringfold: median(idle) }, { atMost: 250 }),
    ],
  };
}
