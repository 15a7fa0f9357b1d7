import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { createMemoryEventStore } from "../../infrastructure/log/memory/event-store.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { createCampaignFolds } from "../../projections/history/folds/campaign-folds.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { createTestCodec, eventsToAppend } from "../../simulation/memory/subject-keys.ts";
import { openBenchDatabase } from "../bench-database.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { finishedCampaign, START } from "../campaign-history.ts";
import { memoryAfterCollection } from "../memory-after-collection.ts";
import { row } from "../rows.ts";

const CAMPAIGNS = Number(process.env["TIME_TRAVEL_CAMPAIGNS"] ?? 10);
const ROUNDS = 20;
const AT_ONCE = 500;
const IMPORTS = 50;
const LONGEST_MILLIS = 40_000;

/**
 * Ten campaigns of 30,000 events queried in turn at moments of their life: record, statistics and a page of
 * 50 contacts; and their stories.
 */
export const benchmark: Benchmark = { name: "time-travel", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const postgres = createPostgresEventStore(silentLogger, { connection: database.connection });
  const rows = [];
  for (const { name, eventStore } of [
    { name: "PostgreSQL", eventStore: postgres },
    { name: "memory", eventStore: createMemoryEventStore(systemClock) },
  ]) {
    log(`${name}: ${CAMPAIGNS} campaigns`);
    const ids = await fill(eventStore);
    const { first, warm, megabytes } = await askMoments(eventStore, ids);
    const stories = await askStories(eventStore, ids);
    rows.push(
      row(`${name}: the first moment of a campaign, longest`, "ms", { ringfold: first }, { atMost: 500 }),
      row(`${name}: another moment, p95`, "ms", { ringfold: warm }, { atMost: 100 }),
      row(`${name}: the first story, longest`, "ms", { ringfold: stories.first }, { atMost: 1_000 }),
      row(`${name}: a story again, p95`, "ms", { ringfold: stories.warm }, { atMost: 300 }),
      row(`${name}: kept of all campaigns, by the heap`, "MB", { ringfold: megabytes }, { atMost: 64 }),
    );
  }
  const settings = await database.settings();
  await postgres.close();
  await database.stop();
  return {
    benchmark: "time-travel",
    settings: { ...settings, campaigns: CAMPAIGNS, rounds: ROUNDS, asked: "the projections, without HTTP" },
    rows,
  };
}

async function fill(eventStore: EventStore): Promise<readonly CampaignId[]> {
  const codec = createTestCodec();
  const ids: CampaignId[] = [];
  for (let campaign = 0; campaign < CAMPAIGNS; campaign += 1) {
    const events = [...finishedCampaign(campaign)].map(inTime);
    const id = events[0]?.data.campaignId ?? "cmp_";
    ids.push(id);
    let revision: number | "no_stream" = "no_stream";
    for (let first = 0; first < events.length; ) {
      // An import event is as large as many others.
      const some = events.slice(first, first + (first < IMPORTS ? 1 : AT_ONCE));
      first += some.length;
      const stored = await eventsToAppend(codec, "usr_1", some);
      ({ revision } = await eventStore.append(`campaign-${id}`, revision, stored));
    }
  }
  return ids;
}

/** A millisecond each. */
function inTime(event: CampaignEvent, place: number): CampaignEvent {
  return { ...event, data: { ...event.data, at: plusMillis(START, place) } } as CampaignEvent;
}

async function askMoments(eventStore: EventStore, ids: readonly CampaignId[]) {
  const before = await heldBytes();
  const folds = createCampaignFolds({ eventStore, codec: createTestCodec() });
  const asked = await timed(ids, async (id, round) => {
    const at: Instant = plusMillis(START, (round * 7_919) % LONGEST_MILLIS);
    await folds.campaignAt({ owner: "usr_1", id, at }, () => undefined);
    await folds.contactsAt({ owner: "usr_1", id, at }, {}, { limit: 50, after: 4_999 }, () => undefined);
  });
  const megabytes = ((await heldBytes()) - before) / 1_000_000;
  // Queried once more, so that they are in memory when it is measured.
  for (const id of ids) await folds.story("usr_1", id);
  return { ...asked, megabytes };
}

/** The buffers of database answers are freed only by a second collection. */
async function heldBytes(): Promise<number> {
  memoryAfterCollection();
  await wait(50);
  const { heapUsed, arrayBuffers } = memoryAfterCollection();
  return heapUsed + arrayBuffers;
}

async function askStories(eventStore: EventStore, ids: readonly CampaignId[]) {
  const { story } = createCampaignFolds({ eventStore, codec: createTestCodec() });
  return timed(ids, async (id) => void (await story("usr_1", id)));
}

async function timed(ids: readonly CampaignId[], ask: (id: CampaignId, round: number) => Promise<void>) {
  const took: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofRound: number[] = [];
    for (const id of ids) {
      const began = performance.now();
      await ask(id, round);
      ofRound.push(performance.now() - began);
    }
    took.push(ofRound);
  }
  const warm = took
    .slice(1)
    .flat()
    .toSorted((a, b) => a - b);
  return { first: Math.max(...(took[0] ?? [])), warm: warm[Math.floor(warm.length * 0.95)] ?? Number.NaN };
}
