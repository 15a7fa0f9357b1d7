import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { systemIds } from "../../infrastructure/ids.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { callsProjection } from "../../projections/calls/calls.ts";
import { tableName } from "../../projections/engine/projection.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { openBenchDatabase } from "../bench-database.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, startBenchService } from "../bench-service.ts";
import { type Benchmark, machine, median, type Result } from "../benchmark.ts";
import {
  campaignBody,
  createCampaign,
  lineOnlyBody,
  type References,
  references,
} from "../campaign-set-up.ts";
import { exampleEvents } from "../example-events.ts";
import { httpLoad } from "../http-load.ts";
import { processorSeconds } from "../processor-time.ts";
import { row } from "../rows.ts";
import { runCampaigns, untilIdle } from "../run-campaign.ts";
import { openWebhookBench } from "../webhook-bench.ts";

/** What was measured at the last change that was meant to change it. */
const RECORDED = new URL("../budget.json", import.meta.url);
const KEEPS = process.env["BUDGET_KEEP"] === "1";
const CALLS = 1_000;
/** As a company dials: far from what the machine can do, so that little comes together. */
const PACE = 20;
const PACED_CALLS = 300;
const APPENDS = 5_000;
const DELIVERIES = 3_000;
const CLIENTS = 16;
const READ_MILLIS = 1_500;
const PAGE = 50;

/**
 * What each thing costs in processor time, as a multiple of a loop of fixed work that runs before and after
 * it: such a ratio can be compared between machines, and between a quiet one and a busy one, better than a
 * time. Beside it the ratio of bench/budget.json, so that the price of a change is seen the day it lands. It
 * has no goals and needs no peers.
 */
export const benchmark: Benchmark = { name: "budget", run: ({ log }) => measure(log) };

type Prices = Map<string, number>;

async function measure(log: (line: string) => void): Promise<Result> {
  const prices: Prices = new Map();
  const loops: number[] = [];
  const recorded = readRecorded();
  const price: Pricing = async (what, pid, work) => {
    const before = loopMillis();
    const spent = processorSeconds(pid);
    const count = await work();
    const millis = (processorSeconds(pid) - spent) * 1_000;
    const loop = (before + loopMillis()) / 2;
    loops.push(loop);
    const now = millis / count / loop;
    prices.set(what, now);
    const known = recorded?.loops[what];
    const beside = known === undefined ? "" : `, ${(now / known).toFixed(2)} times as dear as recorded`;
    log(`${what}: ${((millis / count) * 1_000).toFixed(0)} µs, ${now.toPrecision(3)} loops${beside}`);
  };
  await ofTheLog(price);
  await ofWebhooks(price);
  await ofTheService(price);
  if (KEEPS) keep(prices);
  return {
    benchmark: "budget",
    settings: {
      "the loop": `${median(loops).toFixed(2)} ms of processor`,
      recorded: recorded?.measured ?? "nothing yet: BUDGET_KEEP=1 npm run bench -- budget",
    },
    rows: [...prices].map(([what, now]) => {
      const known = recorded?.loops[what];
      const beside = known === undefined ? {} : { recorded: known, "times as dear": now / known };
      return row(what, "loops of processor time", { now, ...beside });
    }),
  };
}

/** `work` returns how often it did it; `pid` and all below it are what it costs. */
type Pricing = (what: string, pid: number, work: () => Promise<number>) => Promise<void>;

/**
 * Processor milliseconds of work that never changes: objects as ours, as JSON and back, in a map, and their
 * hash.
 */
function loopMillis(): number {
  const once = (): number => {
    const before = process.cpuUsage();
    const seen = new Map<string, number>();
    const hash = createHash("sha256");
    for (let index = 0; index < 200; index += 1) {
      const text = JSON.stringify({ index, events: exampleEvents(1), words: "a b c d e f g h".split(" ") });
      const { words }: { words: string[] } = JSON.parse(text);
      for (const word of words) seen.set(`${word}${index % 32}`, (seen.get(word) ?? 0) + text.length);
      hash.update(text);
    }
    hash.digest();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  return median(Array.from({ length: 41 }, once));
}

async function ofTheLog(price: Pricing): Promise<void> {
  const database = await openBenchDatabase();
  const store = createPostgresEventStore(silentLogger, { connection: database.connection });
  await price("append of one event, 8 writers", process.pid, async () => {
    const writer = async (): Promise<void> => {
      const stream = `call-${systemIds.next("call")}`;
      for (let index = 0; index < APPENDS / 8; index += 1)
        await store.append(stream, index === 0 ? "no_stream" : index - 1, exampleEvents(1));
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    return APPENDS;
  });
  await store.close();
  await database.stop();
}

async function ofWebhooks(price: Pricing): Promise<void> {
  const bench = await openWebhookBench(8);
  await bench.reset();
  await price("webhook: queued, signed, delivered, verified by its receiver", process.pid, async () => {
    for (let left = DELIVERIES; left > 0; left -= 500)
      await bench.outbox.enqueue(bench.entries(Math.min(left, 500)));
    await bench.delivering(async () => {
      while ((await bench.received()).verified < DELIVERIES) await pause(10);
    });
    return DELIVERIES;
  });
  await bench.stop();
}

async function ofTheService(price: Pricing): Promise<void> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const talking = await references(service);
  const silent = await references(service, { phoneNumber: "+15005550101", recording: "off" });
  const calls = async (given: References, bodyOf: typeof campaignBody, count = CALLS): Promise<number> =>
    (await runCampaigns(service, receiver, given, 1, count, bodyOf)).calls;
  const paced: typeof campaignBody = (given, count) => ({
    ...lineOnlyBody(given, count),
    maxCallsPerSecond: PACE,
  });
  await calls(talking, campaignBody); // until its code is compiled
  await price("creating a campaign, of each contact", service.pid, async () => {
    for (let index = 0; index < 4; index += 1) await createCampaign(service, talking, CALLS);
    await untilIdle(service);
    return 4 * CALLS;
  });
  await price("whole call until idle, with its campaign", service.pid, () => calls(talking, campaignBody));
  await price("line-only call until idle, with its campaign", service.pid, () => calls(silent, lineOnlyBody));
  await price(`the same, dialled ${PACE} a second`, service.pid, () => calls(silent, paced, PACED_CALLS));
  await price("outbound call until idle", service.pid, () => outbound(service, talking));
  await price("GET a call", service.pid, async () =>
    reads(service, `/api/v1/calls/${await anyCall(service)}`),
  );
  await price(`GET a page of ${PAGE} calls`, service.pid, () =>
    reads(service, `/api/v1/calls?limit=${PAGE}`),
  );
  receiver.stop();
  await service.remove();
}

async function outbound(service: BenchService, given: References): Promise<number> {
  const body = (index: number) => JSON.stringify({ ...given, to: `+1202${6_000_000 + index}` });
  const path = "/api/v1/calls/outbound";
  const asked = await httpLoad(service, CLIENTS, READ_MILLIS, (index) => ({
    method: "POST",
    path,
    body: body(index),
  }));
  await untilIdle(service);
  return asked.done;
}

async function reads(service: BenchService, path: string): Promise<number> {
  return (await httpLoad(service, CLIENTS, READ_MILLIS, () => ({ method: "GET", path }))).done;
}

async function anyCall({ pool }: BenchService): Promise<string> {
  const table = tableName(callsProjection, "calls");
  const { rows } = await pool.query<{ id: string }>(`select max(id) as id from read.${table}`);
  return rows[0]?.id ?? "";
}

const recordedPrices = z.object({ measured: z.string(), loops: z.record(z.string(), z.number()) });

function readRecorded(): z.infer<typeof recordedPrices> | null {
  return existsSync(RECORDED) ? recordedPrices.parse(JSON.parse(readFileSync(RECORDED, "utf8"))) : null;
}

function keep(prices: Prices): void {
  const { cpu, commit, date } = machine();
  const loops = Object.fromEntries([...prices].map(([what, loop]) => [what, Number(loop.toPrecision(3))]));
  writeFileSync(
    RECORDED,
    `${JSON.stringify({ measured: `${date}, after ${commit}, ${cpu}`, loops }, null, 2)}\n`,
  );
}
