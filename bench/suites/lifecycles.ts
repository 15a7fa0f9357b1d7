import process from "node:process";
import { versionOf } from "../bench-database.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { drawChart } from "../chart.ts";
import { graphileWorkerRate, pgBossRate, QUEUE_POOL } from "../job-queues.ts";
import { OURS, row } from "../rows.ts";
import { type CampaignFigures, runCampaigns } from "../run-campaign.ts";

const CONTACTS = Number(process.env["LIFECYCLE_CONTACTS"] ?? 10_000);
const RUNS = Number(process.env["LIFECYCLE_RUNS"] ?? 3);

/**
 * Whole calls: dial, ringing, answer, conversation, end, outcome, credits, read models and verified webhooks,
 * compared with queues that run one empty job for each call.
 */
export const benchmark: Benchmark = { name: "lifecycles", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  const figures: CampaignFigures[] = [];
  const medians = await alternate(
    [
      {
        name: "ringfold",
        run: async () => {
          const one = await runCampaigns(service, receiver, given, 1, CONTACTS);
          figures.push(one);
          log(
            `${one.calls} calls in ${one.seconds.toFixed(1)} s, ${one.processorMsPerCall.toFixed(2)} ms of processor a call`,
          );
          return one.callsPerSecond;
        },
      },
      { name: "graphile-worker", run: () => graphileWorkerRate(service.connection, CONTACTS) },
      { name: "pg-boss", run: () => pgBossRate(service.connection, CONTACTS) },
    ],
    RUNS,
  );
  drawChart("throughput", {
    title: "Whole calls a second, beside queues that run one empty job per call",
    unit: "1/s",
    bars: Object.entries(medians).map(([name, value]) => ({
      label: name === OURS ? `${name}, whole calls` : `${name}, empty jobs`,
      value,
    })),
    goal: { label: "goal 1,000", value: 1_000 },
  });
  const processorMs = median(figures.map(({ processorMsPerCall }) => processorMsPerCall));
  const events = median(figures.map((one) => one.events / one.calls));
  const settings = await settingsOf(service);
  const { highest } = service.memory();
  receiver.stop();
  await service.remove();
  return {
    benchmark: "lifecycles",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CONTACTS,
      "calls at once": 1_000,
      carrier: "simulated, in process, speed 100,000",
      "graphile-worker": `${versionOf("graphile-worker")}, ${QUEUE_POOL} jobs at once`,
      "pg-boss": `${versionOf("pg-boss")}, batches of 500`,
      "pool of each queue": QUEUE_POOL,
      runs: `${RUNS}, alternating`,
      counted: "ends and events in the log, webhooks at the receiver",
    },
    rows: [
      row(
        "whole calls (peers: empty jobs)",
        "1/s",
        medians,
        { atLeast: 1_000 },
        { timesAtLeast: 0.25, of: "graphile-worker" },
      ),
      row("events of a call, mean", "events", { ringfold: events }),
      row("processor time of a call, service and database", "ms", { ringfold: processorMs }),
      row("the same, as calls a second of two cores that do nothing else", "1/s", {
        ringfold: 2_000 / processorMs,
      }),
      row("memory of the service, highest", "MB", { ringfold: highest }, { atMost: 500 }),
    ],
  };
}
