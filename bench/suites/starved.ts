import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { belongsToUs } from "../../infrastructure/own-processes.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { processorSeconds } from "../processor-time.ts";
import { row } from "../rows.ts";
import { type CampaignFigures, runCampaigns } from "../run-campaign.ts";

const CONTACTS = Number(process.env["STARVED_CONTACTS"] ?? 3_000);
const LOOPS = 4;
/** The service, and its database's session that appends: each of them may have what a loop has. */
const WORKING_PROCESSES = 2;
const LOOK_EVERY_MILLIS = 250;
/** PostgreSQL tells its counts once a second. */
const COUNTS_TOLD_MILLIS = 1_200;

/** Whole calls beside busy loops, what is read again then, and how soon it is as before without them. */
export const benchmark: Benchmark = { name: "starved", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  const campaign = () => runCampaigns(service, receiver, given, 1, CONTACTS);
  const quiet = await readAgainIn(service, campaign);
  log(
    `quiet: ${quiet.untilLastWebhook.callsPerSecond.toFixed(0)} calls/s, ${quiet.readAgain.toFixed(2)} events read again`,
  );
  const loops = startLoops();
  const starved = await readAgainIn(service, campaign);
  log(
    `starved: ${starved.untilLastWebhook.callsPerSecond.toFixed(0)} calls/s, ${starved.readAgain.toFixed(2)} events read again`,
  );
  const share = loops.share();
  const head = await headOf(service);
  const last = campaign();
  await untilHead(service, head + quiet.events / 3);
  loops.stop();
  const recovery = await secondsUntil(service, quiet.events / quiet.untilLastWebhook.seconds / 2);
  await last;
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  const rate = { ringfold: starved.untilLastWebhook.callsPerSecond };
  const itsShare = (WORKING_PROCESSES * share * 1_000) / quiet.untilLastWebhook.processorMsPerCall;
  return {
    benchmark: "starved",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CONTACTS,
      "busy loops": `${LOOPS}, each has ${(share * 100).toFixed(0)} % of a core`,
    },
    rows: [
      row("whole calls, without the loops", "1/s", { ringfold: quiet.untilLastWebhook.callsPerSecond }),
      row("whole calls beside the loops", "1/s", { ...rate, "its share": itsShare }, HALF_ITS_SHARE),
      row("events of a call read again, quiet", "events", { ringfold: quiet.readAgain }, { atMost: 1 }),
      row("events of a call read again, starved", "events", { ringfold: starved.readAgain }, { atMost: 1 }),
      row("until half the quiet rate after the loops", "s", { ringfold: recovery }, { atMost: 5 }),
    ],
  };
}

const HALF_ITS_SHARE = { timesAtLeast: 0.5, of: "its share" };

/** `readAgain`: events of a call that were read from the log in its order, as its followers do. */
async function readAgainIn(
  service: BenchService,
  campaign: () => Promise<CampaignFigures>,
): Promise<CampaignFigures & { readonly readAgain: number }> {
  const before = await eventsRead(service);
  const figures = await campaign();
  return { ...figures, readAgain: ((await eventsRead(service)) - before) / figures.calls };
}

/** Each scan for the last position reads one event, which is not counted. */
async function eventsRead({ pool }: BenchService): Promise<number> {
  await wait(COUNTS_TOLD_MILLIS);
  const { rows } = await pool.query<{ read: number }>(`select (idx_tup_fetch - idx_scan)::int as read
    from pg_stat_all_indexes where schemaname = 'log' and indexrelname = 'events_pkey'`);
  return rows[0]?.read ?? Number.NaN;
}

async function headOf({ pool }: BenchService): Promise<number> {
  const { rows } = await pool.query<{ head: number }>("select max(position)::int as head from log.events");
  return rows[0]?.head ?? 0;
}

async function untilHead(service: BenchService, position: number): Promise<void> {
  while ((await headOf(service)) < position) await wait(LOOK_EVERY_MILLIS);
}

/** Until so many events a second are stored again. */
async function secondsUntil(service: BenchService, rate: number): Promise<number> {
  const began = performance.now();
  for (let head = await headOf(service), at = began; ; ) {
    await wait(LOOK_EVERY_MILLIS);
    const [nextHead, now] = [await headOf(service), performance.now()];
    if (((nextHead - head) / (now - at)) * 1_000 >= rate) return (now - began) / 1_000;
    [head, at] = [nextHead, now];
  }
}

/** `share`: the part of a core that each of them had until now, as any process that wants all of one. */
function startLoops(): { readonly share: () => number; readonly stop: () => void } {
  const began = performance.now();
  const children = Array.from({ length: LOOPS }, () =>
    spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" }),
  );
  const pids = children.flatMap(({ pid }) => pid ?? []);
  for (const pid of pids) belongsToUs(pid);
  return {
    share: () => {
      const seconds = pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
      return (seconds * 1_000) / LOOPS / (performance.now() - began);
    },
    stop: () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}
