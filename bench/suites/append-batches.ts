import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemIds } from "../../infrastructure/ids.ts";
import { type BenchDatabase, openBenchDatabase, versionOf } from "../bench-database.ts";
import { alternate, type Benchmark, type Result, type Side } from "../benchmark.ts";
import { EXAMPLE_DATA, EXAMPLE_METADATA, EXAMPLE_TYPE } from "../example-events.ts";
import { rateOf } from "../load.ts";
import { emmettSide, type LogSide, PEER_POOL, ringfoldSide } from "../log-sides.ts";
import { row } from "../rows.ts";

const BATCH = 100;
const WRITERS = 8;
const RUNS = 5;
const RUN_MILLIS = 1_000;
const COPIED = 20_000;

/**
 * Appends of 100 events each, eight writers on their own streams; COPY of the same rows is
 * the server's maximum.
 */
export const benchmark: Benchmark = { name: "append-batches", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const sides = [await ringfoldSide(database), await emmettSide(database)];
  await createCopyTable(database);
  log(`${WRITERS} writers, batches of ${BATCH}`);
  const medians = await alternate(
    [...sides.map((side) => appending(database, side)), { name: "COPY", run: () => copying(database) }],
    RUNS,
  );
  const settings = await database.settings();
  for (const side of sides) await side.close();
  await database.stop();
  return {
    benchmark: "append-batches",
    settings: {
      ...settings,
      emmett: versionOf("@event-driven-io/emmett-postgresql"),
      "pool ringfold": "1 writer connection (group commit)",
      "pool emmett": PEER_POOL,
      COPY: `${COPIED} rows from a file of the server, one transaction`,
      runs: `${RUNS} of ${RUN_MILLIS} ms, alternating`,
      counted: "every run, in the database",
    },
    rows: [
      row(`append ${BATCH} events, ${WRITERS} writers`, "events/s", medians, {
        timesAtLeast: 2,
        of: "emmett",
      }),
    ],
  };
}

function appending(database: BenchDatabase, side: LogSide): Side {
  return {
    name: side.name,
    async run() {
      side.newStreams();
      await database.settle();
      const before = await side.stored();
      const { rate, done } = await rateOf(WRITERS, RUN_MILLIS, (client) => side.append(client, BATCH));
      const stored = (await side.stored()) - before;
      if (stored !== done * BATCH)
        throw new Error(`${side.name}: ${done} appends acknowledged, ${stored} stored`);
      return rate * BATCH;
    },
  };
}

async function createCopyTable({ pool }: BenchDatabase): Promise<void> {
  await pool.query(`create table copied_events (
    position bigint primary key, stream text not null, revision integer not null, event_id uuid not null, type text not null,
    owner text not null, data json not null, metadata json not null, created timestamptz not null default clock_timestamp(),
    unique (stream, revision), unique (stream, event_id))`);
  await pool.query("create index on copied_events (owner, position)");
}

async function copying(database: BenchDatabase): Promise<number> {
  await database.pool.query("truncate copied_events");
  await database.settle();
  const file = join(tmpdir(), `ringfold-copy-${systemIds.uuid()}.txt`);
  const stream = `call-${systemIds.next("call")}`;
  const [data, metadata] = [JSON.stringify(EXAMPLE_DATA), JSON.stringify(EXAMPLE_METADATA)];
  const lines = Array.from({ length: COPIED }, (_, index) =>
    [index, stream, index, systemIds.uuid(), EXAMPLE_TYPE, EXAMPLE_METADATA.owner, data, metadata].join("\t"),
  );
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  const began = performance.now();
  await database.pool.query(
    `copy copied_events (position, stream, revision, event_id, type, owner, data, metadata) from '${file}'`,
  );
  const milliseconds = performance.now() - began;
  rmSync(file);
  return (COPIED / milliseconds) * 1_000;
}
