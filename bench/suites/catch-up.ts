import { setTimeout as wait } from "node:timers/promises";
import type { PostgresEventStore } from "@event-driven-io/emmett-postgresql";
import { type EventStore, START } from "../../application/ports/event-store.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createTestCodec } from "../../simulation/memory/subject-keys.ts";
import { openBenchDatabase, versionOf } from "../bench-database.ts";
import { alternate, type Benchmark, perSecond, type Result } from "../benchmark.ts";
import { EXAMPLE_DATA, EXAMPLE_TYPE, exampleEvents } from "../example-events.ts";
import { percentile } from "../load.ts";
import { emmettSide, type LogSide, PEER_POOL, ringfoldSide } from "../log-sides.ts";
import { row } from "../rows.ts";

const EVENTS = Number(process.env["CATCH_UP_EVENTS"] ?? 200_000);
/** emmett's consumer takes most of a minute for so many; its rate does not depend on the number. */
const EMMETT_EVENTS = Math.min(EVENTS, 20_000);
const EMMETT_BATCHES = [100, 1_000] as const;
const SAMPLES = 500;
const EMMETT_SAMPLES = 50;

/** How fast a new subscriber reads existing events, and how soon a follower gets new ones. */
export const benchmark: Benchmark = { name: "catch-up", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const ours = await ringfoldSide(database);
  const emmett = await emmettSide(database);
  log(`filling both logs`);
  await fill(ours, EVENTS);
  await fill(emmett, EMMETT_EVENTS);
  await database.settle();
  log(`catching up`);
  const rates = await alternate([
    { name: "ringfold", run: () => catchUp(ours.store, EVENTS) },
    ...EMMETT_BATCHES.map((batchSize) => ({
      name: `emmett, batches of ${batchSize}`,
      run: () => emmettCatchUp(emmett.store, EMMETT_EVENTS, { batchSize, pullingFrequencyInMs: 1 }),
    })),
  ]);
  const emmettBest = Math.max(
    ...EMMETT_BATCHES.map((batchSize) => rates[`emmett, batches of ${batchSize}`] ?? 0),
  );
  const catchUpRow = { ringfold: rates["ringfold"] ?? Number.NaN, emmett: emmettBest };
  log(`latency`);
  const latency = await latencyOf(ours);
  const emmettLatency = await emmettLatencyOf(emmett.store);
  const settings = await database.settings();
  await ours.close();
  await emmett.close();
  await database.stop();
  return {
    benchmark: "catch-up",
    settings: {
      ...settings,
      emmett: versionOf("@event-driven-io/emmett-postgresql"),
      events: EVENTS,
      "events emmett": EMMETT_EVENTS,
      "emmett at its best of": EMMETT_BATCHES.map((batchSize) => `batches of ${batchSize}`).join(" and "),
      "pool ringfold": "4 readers, 1 writer",
      "pool emmett": PEER_POOL,
      runs: "5, alternating",
    },
    rows: [
      row("catch-up, every event checked and decoded", "events/s", catchUpRow, {
        timesAtLeast: 10,
        of: "emmett",
      }),
      row(
        "append to handler, idle, p50",
        "ms",
        { ringfold: percentile(latency, 0.5), emmett: percentile(emmettLatency, 0.5) },
        { atMost: 2 },
      ),
      row(
        "append to handler, idle, p99",
        "ms",
        { ringfold: percentile(latency, 0.99), emmett: percentile(emmettLatency, 0.99) },
        { atMost: 10 },
      ),
    ],
  };
}

/**
 * By one writer: with several at once emmett's consumer misses some of their events (it resumes by position
 * alone), and never reaches the end.
 */
async function fill(side: LogSide, count: number): Promise<void> {
  const before = await side.stored();
  for (let done = 0; done < count; done += 500) {
    if (done % 10_000 === 0) side.newStreams();
    await side.append(0, 500);
  }
  const stored = (await side.stored()) - before;
  if (stored !== count) throw new Error(`${side.name}: ${stored} of ${count} events stored`);
}

/** As the feed of a process: the subscription and the codec. */
async function catchUp(store: EventStore, count: number): Promise<number> {
  const codec = createTestCodec();
  const stop = new AbortController();
  let seen = 0;
  const rate = await perSecond(count, async () => {
    for await (const { events, caughtUp } of store.subscribe({ after: START, signal: stop.signal })) {
      for (const { kind } of await codec.decode(events)) if (kind === "event") seen += 1;
      if (caughtUp) break;
    }
  });
  stop.abort();
  if (seen !== count) throw new Error(`ringfold delivered ${seen} of ${count} events`);
  return rate;
}

type Pulling = { readonly batchSize?: number; readonly pullingFrequencyInMs?: number };

async function emmettCatchUp(store: PostgresEventStore, count: number, pulling: Pulling): Promise<number> {
  const consumer = store.consumer({ pulling, stopWhen: { noMessagesLeft: true } });
  let seen = 0;
  consumer.reactor({
    processorId: systemIds.uuid(),
    startFrom: "BEGINNING",
    eachMessage: () => {
      seen += 1;
    },
  });
  const rate = await perSecond(count, () => consumer.start());
  await consumer.close();
  if (seen !== count) throw new Error(`emmett delivered ${seen} of ${count} messages`);
  return rate;
}

/** From the start of an append to its event in the handler, one after another with pauses, on an idle log. */
async function latencyOf({ store }: { readonly store: EventStore }): Promise<number[]> {
  const stop = new AbortController();
  const arrivals = new Map<string, (at: number) => void>();
  const following = (async () => {
    for await (const { events } of store.subscribe({ after: await store.head(), signal: stop.signal }))
      for (const { id } of events) arrivals.get(id)?.(performance.now());
  })();
  await wait(200);
  const taken: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const events = exampleEvents(1);
    const arrived = Promise.withResolvers<number>();
    arrivals.set(events[0]?.id ?? "", arrived.resolve);
    const began = performance.now();
    await store.append(`call-${systemIds.next("call")}`, "no_stream", events);
    taken.push((await arrived.promise) - began);
    await wait(4);
  }
  stop.abort();
  await following;
  return taken;
}

/** The same with emmett's consumer and its defaults. */
async function emmettLatencyOf(store: PostgresEventStore): Promise<number[]> {
  const consumer = store.consumer();
  const arrivals = new Map<string, (at: number) => void>();
  consumer.reactor({
    processorId: systemIds.uuid(),
    startFrom: "END",
    eachMessage: ({ metadata }) => arrivals.get(metadata.streamName)?.(performance.now()),
  });
  const running = consumer.start();
  const ask = async (): Promise<number> => {
    const stream = `call-${systemIds.next("call")}`;
    const arrived = Promise.withResolvers<number>();
    arrivals.set(stream, arrived.resolve);
    const began = performance.now();
    await store.appendToStream(stream, [{ type: EXAMPLE_TYPE, data: EXAMPLE_DATA }], {
      expectedStreamVersion: "STREAM_DOES_NOT_EXIST",
    });
    return (await arrived.promise) - began;
  };
  await ask(); // from then on it follows
  const taken: number[] = [];
  for (let sample = 0; sample < EMMETT_SAMPLES; sample += 1) {
    taken.push(await ask());
    await wait(4);
  }
  await consumer.close();
  await running;
  return taken;
}
