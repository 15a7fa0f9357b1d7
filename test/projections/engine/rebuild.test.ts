import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../infrastructure/clock.ts";
import { callsProjection } from "../../../projections/calls/calls.ts";
import { createReadSchema, loadCheckpoint } from "../../../projections/engine/checkpoints.ts";
import { RebuildRunningError, underLock } from "../../../projections/engine/rebuild-lock.ts";
import { ownerEventsProjection } from "../../../projections/history/owner-events.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { randomHistory } from "../random-history.ts";
import { allRows, openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;

describe("rebuild", () => {
  let world: ReadWorld;
  beforeEach(async () => {
    world = await openReadWorld();
  });
  afterEach(() => world.close());

  async function caughtUp(models: ReturnType<ReadWorld["start"]>): Promise<void> {
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    await eventually("nobody builds any more", async () => {
      const { rows } = await sql`select 1 from pg_locks
        where locktype = 'advisory' and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())`.execute(world.db);
      return rows.length === 0;
    });
  }

  it("takes along what is written while it runs, and the projectors go on from there", async () => {
    const models = world.start();
    const history = randomHistory(21, 800);
    await world.append(history.slice(0, 500));
    await caughtUp(models);
    const later = world.append(history.slice(500, 800));
    await world.rebuild();
    await later;
    await world.append(history.slice(800));
    await caughtUp(models);
    const live = await allRows(world.db);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(live);
  });

  it("leaves the old rows serving when it is stopped, and can be started again", async () => {
    await world.append(randomHistory(22, 300));
    await caughtUp(world.start());
    const before = await allRows(world.db);
    const stop = new AbortController();
    const stopped = world.rebuild({
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("stopped")),
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(await allRows(world.db)).toEqual(before);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(before);
  });

  it("leaves the old rows serving when its connections die in the middle", async () => {
    await world.append(randomHistory(23, 300));
    await caughtUp(world.start());
    await world.stop();
    const before = await allRows(world.db);
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    let cutting: Promise<unknown> = Promise.resolve();
    const onProgress = () => {
      cutting = cut.execute(world.db);
    };
    await expect(world.rebuild({ onProgress })).rejects.toThrow();
    await cutting;
    // The pool may still hand out a connection that was cut.
    const rows = () => eventually("rows", () => allRows(world.db).catch(() => null));
    expect(await rows()).toEqual(before);
    await eventually("a rebuild", () =>
      world
        .rebuild()
        .then(() => true)
        .catch(() => false),
    );
    expect(await rows()).toEqual(before);
  });

  it("answers readers all the time, from the old rows or from the new ones", async () => {
    await world.append(randomHistory(24, 300));
    await caughtUp(world.start());
    const { rows } = await sql<{ count: string }>`select count(*) from read.calls_v3`.execute(world.db);
    let building = true;
    const rebuilding = world.rebuild().finally(() => {
      building = false;
    });
    let reads = 0;
    while (building) {
      const now = await sql<{ count: string }>`select count(*) from read.calls_v3`.execute(world.db);
      expect(now.rows).toEqual(rows);
      reads += 1;
    }
    await rebuilding;
    expect(reads).toBeGreaterThan(3);
  });

  it("makes the index of owners' events again as it was", async () => {
    const projections = [ownerEventsProjection(world.eventStore.comparePositions)];
    await world.append(randomHistory(27, 300));
    await caughtUp(world.start({ projections }));
    const before = await allRows(world.db, projections);
    await world.rebuild({}, projections);
    expect(await allRows(world.db, projections)).toEqual(before);
    expect(before["owner_events_v2"]?.length).toBeGreaterThan(100);
  });

  it("refuses while another process builds the same read model", async () => {
    await createReadSchema(world.db);
    const { signal } = new AbortController();
    await underLock(world.db, [callsProjection], { kind: "refuse" }, signal, async () => {
      await expect(world.rebuild()).rejects.toThrow(RebuildRunningError);
    });
  });

  it("ends when it is stopped while it waits for another process that builds", async () => {
    await createReadSchema(world.db);
    const { signal } = new AbortController();
    const stop = new AbortController();
    const waits = { kind: "wait", clock: systemClock } as const;
    const work = async () => "built";
    await underLock(world.db, [callsProjection], { kind: "refuse" }, signal, async () => {
      const waiting = underLock(world.db, [callsProjection], waits, stop.signal, work);
      stop.abort(new Error("stopped"));
      await expect(waiting).rejects.toThrow("stopped");
    });
    expect(await underLock(world.db, [callsProjection], waits, signal, work)).toBe("built");
  });

  it("builds a changed version beside the one that serves before it follows", async () => {
    await world.append(randomHistory(25, 300));
    const old = world.start({ projections: [callsProjection] });
    await caughtUp(old);
    const changed = { ...callsProjection, version: 4 };
    const models = world.start({ projections: [changed] });
    expect(models.status()[0]?.state).toBe("starting");
    await eventually("the new version follows", () => models.status()[0]?.state === "following");
    await caughtUp(models);
    const [before, after] = [await allRows(world.db, [callsProjection]), await allRows(world.db, [changed])];
    for (const table of callsProjection.tables) expect(after[`${table}_v4`]).toEqual(before[`${table}_v3`]);
  });

  it("drops an older version at a start at which nobody has moved it for long, and not before", async () => {
    const changed = { ...callsProjection, version: 4 };
    await world.append(randomHistory(28, 60));
    const versions = async () => {
      const models = world.start({ projections: [changed] });
      await eventually("following", () => models.status()[0]?.state === "following");
      await world.stop();
      const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = 'read' and tablename ~ '^call' order by 1`.execute(world.db);
      return rows.map(({ name }) => name);
    };
    await caughtUp(world.start({ projections: [callsProjection] }));
    await world.stop();
    expect(await versions()).toEqual(["call_messages_v3", "call_messages_v4", "calls_v3", "calls_v4"]);
    await sql`update read.checkpoints set moved_at = now() - interval '2 hours'`.execute(world.db);
    expect(await versions()).toEqual(["call_messages_v4", "calls_v4"]);
    expect(await loadCheckpoint(world.db, "calls_v3")).toBeNull();
  });

  it("forgets what an older build had to leave out", async () => {
    await world.append(randomHistory(26, 60));
    await createReadSchema(world.db);
    await sql`insert into read.parked_events (model, position, stream, revision, type, problem)
      values ('calls_v3', '1', 's', 0, 'T', 'of an older build')`.execute(world.db);
    await world.rebuild();
    expect((await sql`select 1 from read.parked_events`.execute(world.db)).rows).toEqual([]);
  });
});
