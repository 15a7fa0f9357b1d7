import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EventStore, StoredEvent } from "../../../application/ports/event-store.ts";
import { loadCheckpoint, loadParked } from "../../../projections/engine/checkpoints.ts";
import { modelOf, type Projection } from "../../../projections/engine/projection.ts";
import { type RebuildProgress, rebuild } from "../../../projections/engine/rebuild.ts";
import { READ_MODELS } from "../../../projections/read-models.ts";
import { squadsProjection } from "../../../projections/squads/squads.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { randomHistory } from "../random-history.ts";
import { allRows, codec, openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;
const HISTORY = randomHistory(33, 120);

let world: ReadWorld;
let right: Record<string, unknown[]>;
beforeEach(async () => {
  world = await openReadWorld();
  await world.append(HISTORY);
  const models = world.start();
  expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
  await world.stop();
  right = await allRows(world.db);
});
afterEach(() => world.close());

/** A rebuild of a log that reads, or is read, otherwise; answers its progress. */
async function rebuilt(
  otherwise: Partial<EventStore>,
  { projections = READ_MODELS, decode = codec.decode, logger = silentLogger } = {},
): Promise<RebuildProgress[]> {
  const told: RebuildProgress[] = [];
  const eventStore = { ...world.eventStore, ...otherwise };
  await rebuild({ db: world.db, eventStore, codec: { ...codec, decode }, logger }, projections, {
    signal: new AbortController().signal,
    onProgress: (progress) => told.push(progress),
  });
  return told;
}

const inBatchesOf = (batchSize: number): EventStore["subscribe"] => {
  return (options) => world.eventStore.subscribe({ ...options, batchSize });
};

it("tells after each batch how many events it has read, and where it is on its way to the end", async () => {
  const told = await rebuilt({ subscribe: inBatchesOf(50) });
  const head = await world.eventStore.head();
  expect(told.length).toBeGreaterThan(2);
  const read = (index: number) => Math.min(HISTORY.length, (index + 1) * 50);
  expect(told.map(({ events }) => events)).toEqual(told.map((_, index) => read(index)));
  expect(told.at(-1)).toEqual({ events: HISTORY.length, position: head, head });
  expect(new Set(told.map(({ position }) => position)).size).toBe(told.length);
  expect(await allRows(world.db)).toEqual(right);
});

it("ends at the end of a log that is written to without a pause", async () => {
  const subscribe: EventStore["subscribe"] = async function* (options) {
    for await (const batch of inBatchesOf(50)(options)) yield { ...batch, caughtUp: false };
  };
  const told = await rebuilt({ subscribe });
  expect(told.at(-1)?.events).toBe(HISTORY.length);
  expect(await allRows(world.db)).toEqual(right);
});

it("takes along what is written when the log was read and the tables are not in place yet", async () => {
  const parking: Projection = {
    ...squadsProjection,
    name: "parking",
    types: new Set([...squadsProjection.types, "CampaignStarted"]),
    openWriter: (tableOf) => {
      const writer = squadsProjection.openWriter(tableOf);
      return {
        ...writer,
        write(trx, events) {
          if (events.some(({ event }) => event.type === "CampaignStarted")) throw new TypeError("not for me");
          return writer.write(trx, events);
        },
      };
    },
  };
  const late = randomHistory(34, 120).map((each) => ({ ...each, stream: `${each.stream}-late` }));
  const starts = ({ event }: (typeof late)[number]) => event.type === "CampaignStarted";
  let written: Promise<void> | undefined;
  await rebuilt(
    {
      async readAll(options) {
        written ??= world.append(late);
        await written;
        return world.eventStore.readAll({ ...options, limit: 70 });
      },
    },
    { projections: [parking] },
  );
  const parked = await loadParked(world.db, [modelOf(parking)]);
  expect(parked).toHaveLength([...HISTORY, ...late].filter(starts).length);
  expect(late.filter(starts).length).toBeGreaterThan(0);
  expect((await loadCheckpoint(world.db, modelOf(parking)))?.position).toBe(await world.eventStore.head());
  const rows = await allRows(world.db, [squadsProjection]);
  await world.rebuild({}, [squadsProjection]);
  expect(rows).toEqual(await allRows(world.db, [squadsProjection]));
});

it("waits with the tables until a reader that holds them has ended", async () => {
  let attempts = 0;
  const secondAttempt = Promise.withResolvers<void>();
  const reader = world.db.transaction().execute(async (trx) => {
    await sql`select 1 from read.squads_v1 limit 1`.execute(trx);
    await secondAttempt.promise;
  });
  await rebuilt(
    {
      readAll(options) {
        attempts += 1;
        if (attempts === 2) secondAttempt.resolve();
        return world.eventStore.readAll(options);
      },
    },
    { projections: [squadsProjection] },
  ).finally(secondAttempt.resolve);
  await reader;
  expect(attempts).toBeGreaterThan(1);
  expect(await allRows(world.db)).toEqual(right);
});

it("reports what it cannot read once, however many read models leave it out", async () => {
  const created = HISTORY.find(({ event }) => event.type === "SquadCreated");
  if (created === undefined) throw new Error("no squad in this history");
  const [event] = await eventsToAppend(codec, created.owner, [created.event]);
  if (event === undefined) throw new Error("nothing to append");
  const odd = [
    { ...event, type: "OfALaterRelease" },
    { ...event, id: crypto.randomUUID(), data: {} },
  ];
  await world.eventStore.append("squad-odd", "no_stream", odd);
  const { logger, lines } = recordingLogger();
  await rebuilt({}, { logger });
  const place = { position: expect.any(String), stream: "squad-odd" };
  expect(lines.map(({ level, fields }) => ({ level, fields }))).toEqual([
    {
      level: "warn",
      fields: { ...place, revision: 0, type: "OfALaterRelease", problem: "unknown type" },
    },
    {
      level: "warn",
      fields: { ...place, revision: 1, type: "SquadCreated", problem: expect.stringMatching(/./) },
    },
  ]);
  expect(lines[1]?.fields["problem"]).not.toBe("unknown type");
  expect(await allRows(world.db)).toEqual(right);
});

it("decodes only what its read models take", async () => {
  const asked = new Set<string>();
  const decode = (page: readonly StoredEvent[]) => {
    for (const { type } of page) asked.add(type);
    return codec.decode(page);
  };
  await rebuilt({}, { projections: [squadsProjection], decode });
  expect([...asked].toSorted()).toEqual(
    [...new Set(HISTORY.map(({ event }) => event.type))]
      .filter((type) => squadsProjection.types.has(type))
      .toSorted(),
  );
});
