import process from "node:process";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { createTestCodec } from "../../simulation/memory/subject-keys.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { appendCalls } from "../projections-workload.ts";
import { row } from "../rows.ts";

/** START_UP_EVENTS=1000000 for the log of the goal. */
const EVENTS = Number(process.env["START_UP_EVENTS"] ?? 100_000);
const EVENTS_OF_A_CALL = 13;
const CALLS_AT_ONCE = 1_000;
const RUNS = 5;

/**
 * From the start of the process to the first 200 of /health/ready: with an empty folder, and
 * on a log with history.
 */
export const benchmark: Benchmark = { name: "start-up", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const first = await startBenchService();
  const { dataDir, apiKey, readyMs: newMs } = first;
  log(`new installation ready after ${Math.round(newMs)} ms; filling the log`);
  const store = createPostgresEventStore(silentLogger, { connection: first.connection });
  const contacts = Math.ceil(EVENTS / EVENTS_OF_A_CALL / 10);
  const events = await appendCalls(
    { eventStore: store, codec: createTestCodec() },
    10,
    contacts,
    CALLS_AT_ONCE,
  );
  await store.close();
  const settings = await settingsOf(first);
  await first.stop();
  const catchingUp = await startBenchService({ dataDir, apiKey });
  log(`ready after ${Math.round(catchingUp.readyMs)} ms with what the read models had not seen yet`);
  await catchingUp.stop();
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
    settings: { ...settings, ...LIMITS_SHOWN, events, runs: RUNS },
    rows: [
      row("new installation (initdb, tables, first key) to ready, one run", "ms", { ringfold: newMs }),
      row(
        `cold start to ready on a log of ${events.toLocaleString("en")} events`,
        "ms",
        { ringfold: median(ready) },
        { atMost: 3_000 },
      ),
      row("memory of the idle service", "MB", { ringfold: median(idle) }, { atMost: 250 }),
    ],
  };
}
