import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { anything, campaignAnswer } from "../bench-api.ts";
import { type BenchReceiver, startBenchReceiver } from "../bench-receiver.ts";
import { LIMITS_SHOWN, settingsOf } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result } from "../benchmark.ts";
import { campaignBody, createCampaign, type References, references } from "../campaign-set-up.ts";
import { row } from "../rows.ts";
import { logEnd, madeSince, untilArrived } from "../run-campaign.ts";
import { startWorkerFleet, type WorkerFleet } from "../worker-fleet.ts";

const CAMPAIGNS = 10;
const CONTACTS = Number(process.env["SCALE_OUT_CONTACTS"] ?? 200);
/** With two calls at a time these last longer than a takeover may take. */
const KILLED_CONTACTS = 100;
const RUNS = Number(process.env["SCALE_OUT_RUNS"] ?? 3);
const LOOK_EVERY_MILLIS = 50;

/**
 * `ROLE=worker` once and twice beside `ROLE=api` on one database; then one of two is killed
 * while campaigns run.
 */
export const benchmark: Benchmark = { name: "scale-out", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const fleet = await startWorkerFleet();
  const receiver = await startBenchReceiver(fleet);
  const given = await references(fleet);
  const shares: number[] = [];
  const one = async () => {
    const worker = await fleet.startWorker();
    const { callsPerSecond } = await runCampaigns(fleet, receiver, given);
    await worker.stop();
    log(`one worker: ${callsPerSecond.toFixed(0)} calls/s`);
    return callsPerSecond;
  };
  const two = async () => {
    const workers = await Promise.all([fleet.startWorker(), fleet.startWorker()]);
    const { callsPerSecond, smallestShare } = await runCampaigns(fleet, receiver, given);
    shares.push(smallestShare);
    await Promise.all(workers.map((worker) => worker.stop()));
    log(
      `two workers: ${callsPerSecond.toFixed(0)} calls/s, the smaller share ${smallestShare} of ${CAMPAIGNS}`,
    );
    return callsPerSecond;
  };
  const medians = await alternate(
    [
      { name: "one worker", run: one },
      { name: "ringfold", run: two },
    ],
    RUNS,
  );
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const seconds = await killOne(fleet, receiver, given);
    log(`campaigns of the killed worker taken over after ${seconds.toFixed(1)} s`);
    taken.push(seconds);
  }
  const dials = await fleet.dials();
  const twice = [...dials.values()].filter((count) => count > 1).length;
  const settings = await settingsOf(fleet);
  receiver.stop();
  await fleet.remove();
  return {
    benchmark: "scale-out",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      processes: "one ROLE=api, one or two ROLE=worker, the carrier, the database",
      campaigns: `${CAMPAIGNS} of ${CONTACTS} contacts at once`,
      runs: RUNS,
      counted: "ends in the log, webhooks at the receiver, dials in the carrier's journal",
    },
    rows: [
      row("whole calls, two workers", "1/s", medians, { timesAtLeast: 1, of: "one worker" }),
      row("campaigns of the worker that got fewer", `of ${CAMPAIGNS}`, { ringfold: median(shares) }),
      row("campaigns of a killed worker taken over", "s", { ringfold: median(taken) }, { atMost: 10 }),
      row("the same, slowest", "s", { ringfold: Math.max(...taken) }, { atMost: 10 }),
      row("calls that the carrier was asked for", "calls", { ringfold: dials.size }),
      row("of them dialled twice", "calls", { ringfold: twice }, { atMost: 0 }),
    ],
  };
}

async function start({ api }: WorkerFleet, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => api.post(anything, `/api/v1/campaigns/${id}/start`)));
}

/**
 * All at once, until the last end is delivered; the share is that of the worker with fewer campaigns, at
 * its most even moment.
 */
async function runCampaigns(
  fleet: WorkerFleet,
  receiver: BenchReceiver,
  given: References,
): Promise<{ readonly callsPerSecond: number; readonly smallestShare: number }> {
  const ids: string[] = [];
  for (let index = 0; index < CAMPAIGNS; index += 1) ids.push(await createCampaign(fleet, given, CONTACTS));
  await receiver.reset();
  const end = await logEnd(fleet);
  const began = performance.now();
  await start(fleet, ids);
  let smallestShare = 0;
  while (await isRunning(fleet, ids)) {
    const held = [...(await holders(fleet)).values()];
    if (held.length > 1) smallestShare = Math.max(smallestShare, Math.min(...held));
    await wait(LOOK_EVERY_MILLIS);
  }
  const { calls, webhooks } = await madeSince(fleet, end);
  await untilArrived(receiver, webhooks);
  return {
    callsPerSecond: (calls / (performance.now() - began)) * 1_000,
    smallestShare,
  };
}

/**
 * Seconds from kill -9 until the survivor holds every campaign that still runs; then they have to
 * complete, each end delivered.
 */
async function killOne(fleet: WorkerFleet, receiver: BenchReceiver, given: References): Promise<number> {
  const survivor = await fleet.startWorker();
  const victim = await fleet.startWorker();
  const ids: string[] = [];
  for (let index = 0; index < CAMPAIGNS; index += 1)
    ids.push(await createCampaign(fleet, given, KILLED_CONTACTS, slowBody));
  await receiver.reset();
  const end = await logEnd(fleet);
  await start(fleet, ids);
  while ((await holders(fleet)).size < 2) await wait(LOOK_EVERY_MILLIS);
  victim.signal("SIGKILL");
  const killed = performance.now();
  await victim.exited;
  while ((await holders(fleet)).size !== 1 || (await isAnyUnheld(fleet, ids))) await wait(LOOK_EVERY_MILLIS);
  const seconds = (performance.now() - killed) / 1_000;
  while (await isRunning(fleet, ids)) await wait(LOOK_EVERY_MILLIS);
  await untilArrived(receiver, (await madeSince(fleet, end)).webhooks);
  await survivor.stop();
  return seconds;
}

/** Two calls at a time: it outlasts the takeover. */
function slowBody(given: References, count: number): object {
  return { ...campaignBody(given, count), maxConcurrentCalls: 2, maxCallsPerSecond: 10 };
}

async function isRunning({ api }: WorkerFleet, ids: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(ids.map((id) => api.get(campaignAnswer, `/api/v1/campaigns/${id}`)));
  const odd = answers.find(({ campaign }) => !["RUNNING", "COMPLETED"].includes(campaign.status));
  if (odd !== undefined) throw new Error(`campaign ${odd.campaign.id} is ${odd.campaign.status}`);
  return answers.some(({ campaign }) => campaign.status === "RUNNING");
}

/** Number of campaigns of each process now. */
async function holders({ pool }: WorkerFleet): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ holder: string; held: number }>(
    "select holder, count(*)::int as held from work.leases where name like 'campaign:%' and until > now() group by holder",
  );
  return new Map(rows.map(({ holder, held }) => [holder, held]));
}

/** A running campaign without a holder. */
async function isAnyUnheld({ api, pool }: WorkerFleet, ids: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>("select name from work.leases where until > now()");
  const held = new Set(rows.map(({ name }) => name));
  const answers = await Promise.all(ids.map((id) => api.get(campaignAnswer, `/api/v1/campaigns/${id}`)));
  return answers.some(
    ({ campaign }) => campaign.status === "RUNNING" && !held.has(`campaign:${campaign.id}`),
  );
}
