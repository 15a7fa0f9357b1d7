import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import { loadCheckpoint, loadParked } from "../../../projections/engine/checkpoints.ts";
import { modelOf, type Projection } from "../../../projections/engine/projection.ts";
import { underLock } from "../../../projections/engine/rebuild-lock.ts";
import { READ_MODELS } from "../../../projections/read-models.ts";
import { squadsProjection } from "../../../projections/squads/squads.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { randomHistory } from "../random-history.ts";
import { allRows, codec, openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;

/** Takes everything but starts of campaigns, which fail it in the way given. */
function touchy(failure: "in the code" | "in the database"): Projection {
  return {
    name: "touchy",
    version: 1,
    types: new Set(["CampaignStarted", "CampaignCreated"]),
    tables: ["touchy"],
    createTables: async (trx, tableOf) => {
      await sql`create table ${tableOf("touchy")} (stream text primary key)`.execute(trx);
    },
    createIndexes: async () => undefined,
    openWriter: (tableOf) => ({
      forget: () => undefined,
      async write(trx, events) {
        for (const { event, stream } of events) {
          if (event.type === "CampaignCreated")
            await sql`insert into ${tableOf("touchy")} values (${stream}) on conflict do nothing`.execute(
              trx,
            );
          else if (failure === "in the code") throw new TypeError("a start is nothing for me");
          else await sql`select 1 / 0`.execute(trx);
        }
        return [];
      },
    }),
  };
}

/** Keeps no rows: tells the positions of the events that it was given, and how often it was opened. */
function watching() {
  const given: string[] = [];
  let opened = 0;
  const projection: Projection = {
    ...touchy("in the code"),
    name: "watching",
    types: new Set(["CampaignCreated"]),
    openWriter: () => {
      opened += 1;
      return {
        forget: () => undefined,
        write: async (_trx, events) => {
          given.push(...events.map(({ position }) => position));
          return [];
        },
      };
    },
  };
  return { projection, given: () => given, opened: () => opened };
}

describe("projector", () => {
  let world: ReadWorld;
  beforeEach(async () => {
    world = await openReadWorld();
  });
  afterEach(() => world.close());

  it("counts nothing twice when two of them share a checkpoint", async () => {
    const [one, other] = [world.start(), world.start()];
    await eventually("both follow", () =>
      [one, other].every((models) => models.status().every(({ state }) => state === "following")),
    );
    const history = randomHistory(11, 500);
    for (let from = 0; from < history.length; from += 25) await world.append(history.slice(from, from + 25));
    const head = await world.eventStore.head();
    expect(await Promise.all([one, other].map(({ positions }) => positions.waitFor(head, LONG)))).toEqual([
      true,
      true,
    ]);
    const together = await allRows(world.db);
    await world.rebuild();
    expect(together).toEqual(await allRows(world.db));
  });

  it("writes the same rows when it is given everything again", async () => {
    const first = world.start({ projections: READ_MODELS });
    await world.append(randomHistory(12, 400));
    const head = await world.eventStore.head();
    await first.positions.waitFor(head, LONG);
    await world.stop();
    const rows = await allRows(world.db);
    await sql`update read.checkpoints set position = '', event_id = null`.execute(world.db);
    expect(await world.start().positions.waitFor(head, LONG)).toBe(true);
    expect(await allRows(world.db)).toEqual(rows);
  });

  it.each(["in the code", "in the database"] as const)(
    "parks an event that fails it %s, goes on, and holds up no other read model",
    async (failure) => {
      const { logger, lines } = recordingLogger();
      const projection = touchy(failure);
      const models = world.start({ projections: [projection, ...READ_MODELS], logger });
      await eventually("following", () => models.status().every(({ state }) => state === "following"));
      const history = randomHistory(13, 300);
      await world.append(history);
      expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
      const count = (type: string) => history.filter(({ event }) => event.type === type).length;
      expect((await allRows(world.db, [projection]))["touchy_v1"]).toHaveLength(count("CampaignCreated"));
      const status = models.status().find(({ model }) => model === "touchy_v1");
      expect(status).toMatchObject({ parked: count("CampaignStarted"), lagMillis: 0 });
      const alarms = lines.filter(({ level }) => level === "error").map(({ fields }) => fields);
      const parked = await loadParked(world.db, ["touchy_v1"]);
      expect(alarms).toHaveLength(count("CampaignStarted"));
      expect(alarms).toEqual(expect.arrayContaining(parked));
      expect(lines.filter(({ message }) => message === "read model waits")).toEqual([]);
    },
  );

  it("remembers what it parked over a restart", async () => {
    const projection = touchy("in the code");
    await world.append(randomHistory(13, 100));
    const head = await world.eventStore.head();
    await world.start({ projections: [projection] }).positions.waitFor(head, LONG);
    await world.stop();
    const again = world.start({ projections: [projection] });
    expect(await eventually("what was parked", () => again.status()[0]?.parked || null)).toBeGreaterThan(0);
  });

  it("says that it follows, though a store failed after it was built and the start was tried again", async () => {
    await world.append(randomHistory(15, 100));
    const judged = vi.spyOn(world.eventStore, "read").mockRejectedValueOnce(new Error("the store is away"));
    const { logger, lines } = recordingLogger();
    const models = world.start({ logger });
    await eventually("tried again", () => judged.mock.calls.length > READ_MODELS.length);
    expect(lines.map(({ message }) => message)).toContain("read models cannot start yet");
    await eventually("following", () => models.status().every(({ state }) => state === "following"));
  });

  it("says so and builds its rows again when the log is not the one that it has read", async () => {
    const models = world.start({ projections: [squadsProjection] });
    await world.append(randomHistory(14, 300));
    const head = await world.eventStore.head();
    await models.positions.waitFor(head, LONG);
    await world.stop();
    const rows = await allRows(world.db, [squadsProjection]);
    await sql`update read.checkpoints set event_id = 'another'`.execute(world.db);
    await sql`delete from read.squads_v1`.execute(world.db);
    const { logger, lines } = recordingLogger();
    const again = world.start({ projections: [squadsProjection], logger });
    await eventually("following", () => again.status().every(({ state }) => state === "following"));
    expect(lines.find(({ level }) => level === "error")?.message).toContain("the log went back");
    expect((await allRows(world.db, [squadsProjection]))["squads_v1"]).toEqual(rows["squads_v1"]);
  });

  it("writes again what a crash of the database took back", async () => {
    const models = world.start({ projections: [squadsProjection] });
    const history = randomHistory(20, 300);
    await world.append(history.slice(0, 200));
    await models.positions.waitFor(await world.eventStore.head(), LONG);
    // Rows and checkpoint are committed without a flush: after a crash both may be as they were a moment ago.
    await world.db.transaction().execute(async (trx) => {
      await sql`update read.checkpoints set position = ${START}, event_id = null`.execute(trx);
      await sql`delete from read.squads_v1`.execute(trx);
    });
    await world.append(history.slice(200));
    const head = await world.eventStore.head();
    await eventually("all is taken", async () => {
      return (await loadCheckpoint(world.db, "squads_v1"))?.position === head;
    });
    const rows = await allRows(world.db, [squadsProjection]);
    await world.rebuild({}, [squadsProjection]);
    expect(rows).toEqual(await allRows(world.db, [squadsProjection]));
  });

  it.each([
    ["writes only what is left of a batch that another process has begun", "moved"],
    ["builds its rows again when they were taken from it", "gone"],
  ] as const)("%s", async (_title, how) => {
    const { projection, given, opened } = watching();
    const models = world.start({ projections: [projection] });
    await eventually("following", () => models.status().every(({ state }) => state === "following"));
    const openedBefore = opened();
    const positions = await world.db.transaction().execute(async (trx) => {
      // Whoever writes waits for this transaction, and then finds what it did.
      await sql`select 1 from read.checkpoints for update`.execute(trx);
      const created = randomHistory(29, 100).find(({ event }) => event.type === "CampaignCreated");
      if (created === undefined) throw new Error("a history without campaigns");
      const three = Array.from({ length: 3 }, () => created.event);
      await world.eventStore.append(
        "campaign-three",
        "no_stream",
        await eventsToAppend(codec, "usr_1", three),
      );
      const page = await world.eventStore.readAll({ after: START, limit: 9 });
      const found = page.events.map(({ position }) => position);
      if (how === "gone") await sql`delete from read.checkpoints`.execute(trx);
      else await sql`update read.checkpoints set position = ${found[1]}`.execute(trx);
      return found;
    });
    expect(positions).toHaveLength(3);
    await eventually("the end", async () => {
      return (await loadCheckpoint(world.db, "watching_v1"))?.position === positions[2];
    });
    if (how === "moved") {
      expect(given()).toEqual([positions[2]]);
      expect(opened()).toBe(openedBefore);
    } else expect(given()).toEqual(expect.arrayContaining(positions));
  });

  it("goes on after its connections were cut", async () => {
    const models = world.start();
    await world.append(randomHistory(15, 100));
    await models.positions.waitFor(await world.eventStore.head(), LONG);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(world.db);
    await world.append(
      randomHistory(16, 100)
        .filter(({ event }) => event.type === "SquadCreated")
        .map(elsewhere),
    );
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    const checkpoint = await eventually("a connection that lives", () =>
      loadCheckpoint(world.db, "squads_v1").catch(() => null),
    );
    expect(checkpoint.position).toBe(await world.eventStore.head());
  });

  it("builds its rows again when somebody dropped the schema", async () => {
    const models = world.start();
    const history = randomHistory(18, 200);
    await world.append(history.slice(0, 150));
    await models.positions.waitFor(await world.eventStore.head(), LONG);
    await sql`drop schema read cascade`.execute(world.db);
    await world.append(history.slice(150));
    const head = await world.eventStore.head();
    await eventually("rows of every model", async () => {
      const found = await Promise.all(
        READ_MODELS.map((model) => loadCheckpoint(world.db, modelOf(model)).catch(() => null)),
      );
      return found.every((checkpoint) => checkpoint?.position === head);
    });
    const live = await allRows(world.db);
    // The last builder lets go of its lock a moment after its rows are there.
    await world.stop();
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(live);
  });

  it("has come nowhere while its rows are made again, whatever its stored checkpoint says", async () => {
    await world.append(randomHistory(19, 50));
    const head = await world.eventStore.head();
    await world.start().positions.waitFor(head, LONG);
    await world.stop();
    await sql`update read.checkpoints set event_id = 'of another log'`.execute(world.db);
    const { signal } = new AbortController();
    const again = await underLock(world.db, READ_MODELS, { kind: "refuse" }, signal, async () => {
      const models = world.start();
      await eventually("building", () => models.status().every(({ state }) => state === "building"));
      expect(await models.positions.waitFor(head, 200)).toBe(false);
      return models;
    });
    expect(await again.positions.waitFor(head, LONG)).toBe(true);
  });

  it("tells those who wait in another process, and gives up at their limit", async () => {
    const models = world.start();
    const elsewhereToo = world.positions();
    await world.append(randomHistory(17, 50));
    const head = await world.eventStore.head();
    expect(await elsewhereToo.waitFor(head, LONG)).toBe(true);
    expect(await models.positions.waitFor(head, LONG)).toBe(true);
    expect(await elsewhereToo.waitFor("999999999", 30)).toBe(false);
  });
});

function elsewhere(event: ReturnType<typeof randomHistory>[number]): typeof event {
  return { ...event, stream: `${event.stream}-2` };
}
