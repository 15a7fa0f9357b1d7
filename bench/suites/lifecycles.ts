import process from "node:process";
import { openBenchDatabase, versionOf } from "../bench-database.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result, type Row } from "../benchmark.ts";
import { campaignBody, lineOnlyBody, references } from "../campaign-set-up.ts";
import { drawChart } from "../chart.ts";
import { graphileWorkerRate, pgBossRate, QUEUE_POOL } from "../job-queues.ts";
import { OURS, row } from "../rows.ts";
import { type CampaignFigures, runCampaigns } from "../run-campaign.ts";

const CONTACTS = Number(process.env["LIFECYCLE_CONTACTS"] ?? 10_000);
const RUNS = Number(process.env["LIFECYCLE_RUNS"] ?? 3);
/** One after another in one service. */
const CAMPAIGNS = Number(process.env["LIFECYCLE_CAMPAIGNS"] ?? 3);

/**
 * Whole calls: dial, ringing, answer, conversation, end, outcome, credits, read models, verified webhooks and
 * copied recordings, until nothing is left to do; compared with queues that run one empty job for each call.
 * Each run has a service of its own, and each queue a database of its own with nothing beside it.
 */
export const benchmark: Benchmark = { name: "lifecycles", run: ({ log }) => measure(log) };

type Measured = {
  /** Of each run, its campaigns in their order. */
  readonly whole: CampaignFigures[][];
  readonly lineOnly: CampaignFigures[];
  readonly memory: number[];
  readonly settings: Record<string, string>;
};

async function measure(log: (line: string) => void): Promise<Result> {
  const measured: Measured = { whole: [], lineOnly: [], memory: [], settings: {} };
  const medians = await alternate(
    [
      { name: OURS, run: () => wholeCalls(measured, log) },
      { name: "line only", run: () => lineOnly(measured, log) },
      { name: "graphile-worker", run: () => alone(graphileWorkerRate) },
      { name: "pg-boss", run: () => alone(pgBossRate) },
    ],
    RUNS,
  );
  const { "line only": _, ...compared } = medians;
  drawChart("throughput", {
    title: "Whole calls a second, beside queues that run one empty job per call",
    unit: "1/s",
    bars: Object.entries(compared).map(([name, value]) => ({
      label: name === OURS ? `${name}, whole calls` : `${name}, empty jobs`,
      value,
    })),
    goal: { label: "goal 600", value: 600 },
  });
  return {
    benchmark: "lifecycles",
    settings: {
      ...measured.settings,
      ...LIMITS_SHOWN,
      contacts: CONTACTS,
      campaigns: `${CAMPAIGNS} after one another in one service`,
      "calls at once": 1_000,
      carrier: "simulated, in process, speed 100,000",
      "graphile-worker": `${versionOf("graphile-worker")}, ${QUEUE_POOL} jobs at once`,
      "pg-boss": `${versionOf("pg-boss")}, batches of 500`,
      "pool of each queue": QUEUE_POOL,
      runs: `${RUNS}, alternating, each with a service of its own; the queues with nothing beside them`,
      counted: "ends and events in the log, webhooks at the receiver",
    },
    rows: [...rowsOfWhole(measured, compared), ...rowsOfLine(measured)],
  };
}

/** Campaigns after one another in one service; returns the rate of the first. */
async function wholeCalls(measured: Measured, log: (line: string) => void): Promise<number> {
  return inService(async (service) => {
    const receiver = await startBenchReceiver(service);
    const given = await references(service);
    const figures: CampaignFigures[] = [];
    for (let index = 0; index < CAMPAIGNS; index += 1) {
      figures.push(await runCampaigns(service, receiver, given, 1, CONTACTS, campaignBody));
      tell(log, `campaign ${index + 1}`, figures.at(-1));
    }
    receiver.stop();
    measured.whole.push(figures);
    measured.memory.push(service.memory().highest);
    Object.assign(measured.settings, await settingsOf(service));
    return figures[0]?.untilIdle.callsPerSecond ?? Number.NaN;
  });
}

/** Callees that hang up at once, not recorded; returns the rate. */
async function lineOnly(measured: Measured, log: (line: string) => void): Promise<number> {
  return inService(async (service) => {
    const receiver = await startBenchReceiver(service);
    const given = await references(service, { recording: "off" });
    const figures = await runCampaigns(service, receiver, given, 1, CONTACTS, lineOnlyBody);
    tell(log, "line only", figures);
    receiver.stop();
    measured.lineOnly.push(figures);
    return figures.untilIdle.callsPerSecond;
  });
}

async function inService(work: (service: BenchService) => Promise<number>): Promise<number> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const rate = await work(service);
  await service.remove();
  return rate;
}

async function alone(rateOf: typeof graphileWorkerRate): Promise<number> {
  const database = await openBenchDatabase();
  const rate = await rateOf(database.connection, CONTACTS);
  await database.stop();
  return rate;
}

function tell(log: (line: string) => void, what: string, figures: CampaignFigures | undefined): void {
  if (figures === undefined) return;
  const { calls, untilIdle, untilLastWebhook } = figures;
  log(
    `${what}: ${calls} calls in ${untilIdle.seconds.toFixed(1)} s, ${untilIdle.processorMsPerCall.toFixed(2)} ms of processor a call (${untilLastWebhook.processorMsPerCall.toFixed(2)} until the last webhook)`,
  );
}

function rowsOfWhole({ whole, memory }: Measured, rates: Readonly<Record<string, number>>): Row[] {
  const first = whole.flatMap((figures) => figures.slice(0, 1));
  const costOf = (index: number) =>
    median(
      whole
        .flatMap((figures) => figures.slice(index, index + 1))
        .map(({ untilIdle }) => untilIdle.processorMsPerCall),
    );
  const dearer = median(
    whole.flatMap(([one, two]) =>
      one === undefined || two === undefined
        ? []
        : [(two.untilIdle.processorMsPerCall / one.untilIdle.processorMsPerCall - 1) * 100],
    ),
  );
  const cost = costOf(0);
  return [
    row(
      "whole calls until idle (peers: empty jobs)",
      "1/s",
      rates,
      { atLeast: 600 },
      { timesAtLeast: 0.25, of: "graphile-worker" },
    ),
    row("the same, until the last webhook", "1/s", {
      [OURS]: median(first.map(({ untilLastWebhook }) => untilLastWebhook.callsPerSecond)),
    }),
    row("events of a call, mean", "events", { [OURS]: median(first.map((one) => one.events / one.calls)) }),
    row(
      "processor time of a call, service and database, until idle",
      "ms",
      { [OURS]: cost },
      { atMost: 2.8 },
    ),
    row("the same, until the last webhook", "ms", {
      [OURS]: median(first.map(({ untilLastWebhook }) => untilLastWebhook.processorMsPerCall)),
    }),
    row("until idle, as calls a second of two cores that do nothing else", "1/s", { [OURS]: 2_000 / cost }),
    ...(CAMPAIGNS < 2
      ? []
      : [
          row(
            "a call of the second campaign, dearer than one of the first by",
            "%",
            { [OURS]: dearer },
            { atMost: 5 },
          ),
        ]),
    row(
      `memory of the service after ${CAMPAIGNS} campaigns, highest`,
      "MB",
      { [OURS]: median(memory) },
      { atMost: 650 },
    ),
  ];
}

function rowsOfLine({ lineOnly: figures }: Measured): Row[] {
  const middle = (of: (one: CampaignFigures) => number) => ({ [OURS]: median(figures.map(of)) });
  return [
    row(
      "line only, until idle",
      "1/s",
      middle(({ untilIdle }) => untilIdle.callsPerSecond),
      { atLeast: 1_000 },
    ),
    row(
      "line only, processor time of a call",
      "ms",
      middle(({ untilIdle }) => untilIdle.processorMsPerCall),
      { atMost: 1.4 },
    ),
    row(
      "line only, events of a call, mean",
      "events",
      middle((one) => one.events / one.calls),
    ),
  ];
}
