import type { PostgresEventStore } from "@event-driven-io/emmett-postgresql";
import pg from "pg";
import { DECIDERS } from "../../application/log/aggregates.ts";
import { catchUp, headOf, unread } from "../../application/log/folded-stream.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import { createTestCodec } from "../../simulation/memory/subject-keys.ts";
import { openBenchDatabase, versionOf } from "../bench-database.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import { EXAMPLE_DATA, EXAMPLE_TYPE, exampleEvents } from "../example-events.ts";
import { rateOf } from "../load.ts";
import { emmettSide, PEER_POOL, ringfoldSide } from "../log-sides.ts";
import { row } from "../rows.ts";

const READERS = 8;
const RUN_MILLIS = 1_000;
const SHORT = 100;
const LONG = [1_000, 10_000, 50_000] as const;
const CHUNK = 500;

/** Reading a stream of 100 events, and loading and folding longer ones, checked and decoded. */
export const benchmark: Benchmark = { name: "read-and-fold", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const ours = await ringfoldSide(database);
  const emmett = await emmettSide(database);
  const pool = new pg.Pool({ ...database.connection, max: READERS });
  for (const length of [SHORT, ...LONG]) await fill(ours.store, emmett.store, length);
  await database.pool.query("vacuum analyze");
  log(`${READERS} readers of ${SHORT} events`);
  const read = async (one: () => Promise<number>) => {
    const { rate } = await rateOf(READERS, RUN_MILLIS, async () => {
      const count = await one();
      if (count !== SHORT) throw new Error(`${count} events read`);
    });
    return rate;
  };
  const short = await alternate([
    { name: "ringfold", run: () => read(async () => (await ours.store.read(streamOf(SHORT))).length) },
    {
      name: "emmett",
      run: () => read(async () => (await emmett.store.readStream(streamOf(SHORT))).events.length),
    },
    { name: "raw select", run: () => read(() => rawRead(pool)) },
  ]);
  const rows = [
    row(
      `read a stream of ${SHORT}, ${READERS} readers`,
      "1/s",
      short,
      { timesAtLeast: 2, of: "emmett" },
      { timesAtLeast: 0.8, of: "raw select" },
    ),
  ];
  for (const length of LONG) {
    log(`folding ${length}`);
    const medians = await alternate([
      { name: "ringfold", run: () => timed(() => fold(ours.store, length)) },
      { name: "emmett", run: () => timed(() => emmettFold(emmett.store, length)) },
    ]);
    rows.push(row(`load and fold ${length.toLocaleString("en")} events`, "ms", medians));
  }
  const settings = await database.settings();
  await pool.end();
  await ours.close();
  await emmett.close();
  await database.stop();
  return {
    benchmark: "read-and-fold",
    settings: {
      ...settings,
      emmett: versionOf("@event-driven-io/emmett-postgresql"),
      "pool ringfold": "4 readers",
      "pool emmett": PEER_POOL,
      "pool raw": READERS,
      ringfold: "folds check every event against its schema; emmett's and the raw side check nothing",
      runs: "5, alternating",
    },
    rows,
  };
}

function streamOf(length: number): string {
  return `call-of-${length}`;
}

async function fill(ours: EventStore, emmett: PostgresEventStore, length: number): Promise<void> {
  const stream = streamOf(length);
  for (let done = 0; done < length; done += CHUNK) {
    const count = Math.min(CHUNK, length - done);
    await ours.append(stream, done === 0 ? "no_stream" : done - 1, exampleEvents(count));
    const messages = Array.from({ length: count }, () => ({ type: EXAMPLE_TYPE, data: EXAMPLE_DATA }));
    await emmett.appendToStream(stream, messages);
  }
}

async function rawRead(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query({
    name: "read",
    text: "select position, stream, revision, event_id, type, data, metadata, created from log.events where stream = $1 order by revision",
    values: [streamOf(SHORT)],
  });
  return rows.length;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function fold(eventStore: EventStore, length: number): Promise<void> {
  const decider = DECIDERS.call;
  const folded = unread(decider);
  const deps = { eventStore, codec: createTestCodec(), decider, isEvent: isCallEvent };
  await catchUp(deps, streamOf(length), folded);
  const count = headOf(folded).revision + 1;
  if (count !== length) throw new Error(`${count} of ${length} events folded`);
}

async function emmettFold(store: PostgresEventStore, length: number): Promise<void> {
  const { state } = await store.aggregateStream(streamOf(length), {
    initialState: () => 0,
    evolve: (seen: number) => seen + 1,
  });
  if (state !== length) throw new Error(`emmett folded ${state} of ${length} events`);
}
