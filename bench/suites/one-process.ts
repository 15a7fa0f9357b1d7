import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { anything } from "../bench-api.ts";
import {
  type BenchService,
  LIMITS_SHOWN,
  loopDelayMs,
  settingsOf,
  startBenchService,
} from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { campaignBody, createCampaign, type References, references } from "../campaign-set-up.ts";
import { processorSeconds } from "../processor-time.ts";
import { row } from "../rows.ts";

const CAMPAIGNS = Number(process.env["ONE_PROCESS_CAMPAIGNS"] ?? 100);
const CONTACTS = 10_000;
const CAP = 1_000;
const RUNNING_SECONDS = 30;
const IDLE_SECONDS = 20;
const SETTLING_MILLIS = 5_000;
const LOOK_EVERY_MILLIS = 20;
const RUNS = 3;

const withActiveCalls = z.object({ campaign: z.object({ activeCalls: z.number() }) });

/** Capacity of one process: many large running campaigns, a cap that is reached, many paused campaigns. */
export const benchmark: Benchmark = { name: "one-process", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService();
  const given = await references(service);
  const reached: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    reached.push(await secondsToCap(service, given));
    log(`${CAP} calls at once after ${reached.at(-1)?.toFixed(2)} s`);
  }
  const ids: string[] = [];
  for (let index = 0; index < CAMPAIGNS; index += 1) {
    ids.push(await createCampaign(service, given, CONTACTS, modestBody));
    await command(service, ids.at(-1), "start");
  }
  log(`${CAMPAIGNS} campaigns of ${CONTACTS} contacts run`);
  await wait(SETTLING_MILLIS);
  await loopDelayMs(service); // measured from the last reading on
  const live = await activeCalls(service, ids);
  await wait(RUNNING_SECONDS * 1_000);
  const delay = await loopDelayMs(service);
  const { now, highest } = service.memory();
  log(`${live} calls at once, ${now.toFixed(0)} MB`);
  for (const id of ids) await command(service, id, "pause");
  await untilQuiet(service, ids);
  const before = processorSeconds(service.pid);
  await wait(IDLE_SECONDS * 1_000);
  const idle = ((processorSeconds(service.pid) - before) / IDLE_SECONDS) * 100;
  const settings = await settingsOf(service);
  await service.remove();
  return {
    benchmark: "one-process",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      campaigns: `${CAMPAIGNS} of ${CONTACTS.toLocaleString("en")} contacts, 10 calls at once and 1 a second each`,
      carrier: "simulated, in process, speed 1",
    },
    rows: [
      row(`start of a campaign to ${CAP} calls at once`, "s", { ringfold: median(reached) }, { atMost: 2 }),
      row(`calls at once of the ${CAMPAIGNS} campaigns`, "calls", { ringfold: live }),
      row("memory while they run", "MB", { ringfold: now }, { atMost: 600 }),
      row("memory, highest (while a million contacts came)", "MB", { ringfold: highest }),
      row("delay of the event loop while they run, p99", "ms", { ringfold: delay }, { atMost: 50 }),
      row(
        `processor of service and database with ${CAMPAIGNS} paused campaigns`,
        "% of a core",
        { ringfold: idle },
        { atMost: 2 },
      ),
    ],
  };
}

function modestBody(given: References, count: number): object {
  return { ...campaignBody(given, count), maxConcurrentCalls: 10, maxCallsPerSecond: 1 };
}

function command({ api }: BenchService, id: string | undefined, name: "start" | "pause" | "cancel") {
  const body = name === "cancel" ? { hangUpActiveCalls: true } : undefined;
  return api.post(anything, `/api/v1/campaigns/${id}/${name}`, body);
}

/** From the start of a campaign to as many calls as its cap allows; no call ends so soon. */
async function secondsToCap(service: BenchService, given: References): Promise<number> {
  const id = await createCampaign(service, given, CONTACTS);
  const began = performance.now();
  await command(service, id, "start");
  while ((await dialled(service, id)) < CAP) await wait(LOOK_EVERY_MILLIS);
  const seconds = (performance.now() - began) / 1_000;
  await command(service, id, "cancel");
  await untilQuiet(service, [id]);
  return seconds;
}

/** Dials in the log. */
async function dialled({ pool }: BenchService, id: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from log.events where stream = $1 and type = 'ContactDialed'",
    [`campaign-${id}`],
  );
  return rows[0]?.count ?? 0;
}

async function activeCalls({ api }: BenchService, ids: readonly string[]): Promise<number> {
  const answers = await Promise.all(ids.map((id) => api.get(withActiveCalls, `/api/v1/campaigns/${id}`)));
  return answers.reduce((sum, each) => sum + each.campaign.activeCalls, 0);
}

async function untilQuiet(service: BenchService, ids: readonly string[]): Promise<void> {
  while ((await activeCalls(service, ids)) > 0) await wait(SETTLING_MILLIS / 5);
  await wait(SETTLING_MILLIS);
}
