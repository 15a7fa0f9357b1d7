import { type BenchDatabase, openBenchDatabase, versionOf } from "../bench-database.ts";
import { alternate, type Benchmark, type Result, type Side } from "../benchmark.ts";
import { rateOf } from "../load.ts";
import { emmettSide, type LogSide, PEER_POOL, rawSide, ringfoldSide } from "../log-sides.ts";
import { type Goal, row } from "../rows.ts";

const RUNS = 5;
const RUN_MILLIS = 1_000;
const WRITERS: readonly { readonly count: number; readonly goals: readonly Goal[] }[] = [
  { count: 1, goals: [] },
  { count: 8, goals: [] },
  {
    count: 32,
    goals: [
      { timesAtLeast: 5, of: "emmett" },
      { timesAtLeast: 1, of: "raw INSERT" },
    ],
  },
  { count: 128, goals: [] },
];

/** Appends of one event each, every writer to its own stream at its exact revision. */
export const benchmark: Benchmark = { name: "append", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const sides = [await ringfoldSide(database), await emmettSide(database), await rawSide(database)];
  const rows = [];
  for (const { count, goals } of WRITERS) {
    log(`${count} writers`);
    const medians = await alternate(
      sides.map((side) => appending(database, side, count)),
      RUNS,
    );
    rows.push(row(`append 1 event, ${count} writers`, "1/s", medians, ...goals));
  }
  const settings = await database.settings();
  for (const side of sides) await side.close();
  await database.stop();
  return {
    benchmark: "append",
    settings: {
      ...settings,
      emmett: versionOf("@event-driven-io/emmett-postgresql"),
      pg: versionOf("pg"),
      "pool ringfold": "1 writer connection (group commit)",
      "pool peers": PEER_POOL,
      runs: `${RUNS} of ${RUN_MILLIS} ms, alternating`,
      counted: "every run, in the database",
    },
    rows,
  };
}

/** A run counts only when the database holds exactly what was acknowledged. */
function appending(database: BenchDatabase, side: LogSide, writers: number): Side {
  return {
    name: side.name,
    async run() {
      side.newStreams();
      await database.settle();
      const before = await side.stored();
      const { rate, done } = await rateOf(writers, RUN_MILLIS, (client) => side.append(client, 1));
      const stored = (await side.stored()) - before;
      if (stored !== done) throw new Error(`${side.name}: ${done} acknowledged, ${stored} stored`);
      return rate;
    },
  };
}
