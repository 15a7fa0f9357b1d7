import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_SUPPRESSION_LISTS } from "../../../application/ports/configuration/suppression-lists.ts";
import type { ListChange, SuppressionLists } from "../../../application/ports/suppression-lists.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { OwnerId, SuppressionListId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import type { SuppressionListEvent } from "../../../domain/suppression/events.ts";
import { recordReplaced } from "../../../infrastructure/account/configuration/suppression-lists.ts";
import type { ConfigurationTables } from "../../../infrastructure/account/configuration/tables.ts";
import { createOwnerChanges } from "../../../infrastructure/account/owner-changes.ts";
import { createPostgresSuppressionLists } from "../../../infrastructure/account/suppression-lists.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { type ConfigurationWorld, configurationWorld, FIRST_PAGE } from "./configuration-world.ts";

const KEY = "key_1";
const REGISTER = { name: "National register", kind: "registry", active: true } as const;
const SHA = "ab".repeat(32);

let world: ConfigurationWorld;
let lists: SuppressionLists;
let owner: OwnerId;
let id: SuppressionListId;
beforeAll(async () => {
  world = await configurationWorld();
  lists = process();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = systemIds.next("usr");
  id = systemIds.next("spl");
  await world.database.pool.query(
    `insert into config.users (id, name, max_concurrent_calls, max_calls_per_second, active, created_at, updated_at)
     values ($1, 'Owner', 1, 1, true, now(), now())`,
    [owner],
  );
});

/** One that knows nothing yet. */
const process = () => {
  const { pool, notifications } = world.database;
  return createPostgresSuppressionLists(kyselyOn(pool), createOwnerChanges(notifications));
};
const standing = () => process().standing(owner);
const records = () => world.configuration.suppressionLists;
const make = () => records().create(owner, id, REGISTER, KEY);
/** Each look at it is a millisecond later, as while a real one is busy. */
const running = () => ({
  ...world.clock,
  nowMillis: () => {
    world.clock.advance(1);
    return world.clock.nowMillis();
  },
});
/** Numbers of that day are loaded. */
const load = (asOf: Instant, version = 1, of: OwnerId = owner) =>
  kyselyOn<ConfigurationTables>(world.database.pool)
    .transaction()
    .execute((trx) =>
      recordReplaced({ clock: running(), ids: systemIds }, trx, {
        ...{ listId: id, owner: of, count: 7, sha256: SHA, asOf: new Date(asOf), version, by: KEY },
      }),
    );
const changes = async (): Promise<readonly ListChange[]> =>
  (await lists.unpublished(10_000)).filter(({ event }) => event.data.owner === owner);
const told = async () => (await changes()).map(({ event }) => event);
const later = (instant: Instant, millis: number) => instantFromMillis(millisOf(instant) + millis);

describe("suppression lists", () => {
  it("begin without numbers, after the do-not-call list, the newest first", async () => {
    const now = world.clock.now();
    expect(await make()).toEqual({
      created: true,
      value: {
        ...{ ...REGISTER, id, count: 0, asOf: null, sha256: null, behind: false },
        ...{ createdAt: now, updatedAt: now },
      },
    });
    const second = systemIds.next("spl");
    await records().create(owner, second, { ...REGISTER, kind: "own" }, KEY);
    const first = await records().list(owner, { limit: 2, after: null });
    expect([first.rows.map((row) => row.id), first.next]).toEqual([["spl_default", second], second]);
    const rest = await records().list(owner, { limit: 2, after: first.next });
    expect([rest.rows.map((row) => row.id), rest.next]).toEqual([[id], null]);
  });

  it("have the do-not-call list as one of them, which nobody changes", async () => {
    await world.configuration.suppressions.add(owner, "+15005550006", null, KEY);
    expect(await records().get(owner, "spl_default")).toMatchObject({
      ...{ kind: "own", active: true, count: 1, asOf: null, sha256: null, updatedAt: world.clock.now() },
    });
    const refused = { saved: false, reason: "default" };
    expect(await records().change(owner, "spl_default", { name: "x" }, KEY)).toEqual(refused);
    expect(await records().delete(owner, "spl_default", KEY)).toEqual(refused);
    expect((await records().list(owner, FIRST_PAGE)).rows).toHaveLength(1);
  });

  it("are of their owner", async () => {
    await make();
    const stranger = systemIds.next("usr");
    expect(await records().get(stranger, id)).toBeNull();
    expect(await records().change(stranger, id, { active: false }, KEY)).toMatchObject({
      reason: "not_found",
    });
    expect(await records().delete(stranger, id, KEY)).toMatchObject({ reason: "not_found" });
    expect(await load(world.clock.now(), 1, stranger)).toBe(false);
    expect(await records().get(owner, id)).toMatchObject({ active: true, count: 0 });
  });

  it("are made once for each id, and an owner has at most 100, however many ask at once", async () => {
    await make();
    expect(await make()).toMatchObject({ created: false, value: { id } });
    const asked = await Promise.all(
      Array.from({ length: MAX_SUPPRESSION_LISTS + 5 }, () =>
        records().create(owner, systemIds.next("spl"), REGISTER, KEY),
      ),
    );
    expect(asked.filter((made) => made === null)).toHaveLength(6);
    expect(await make()).toMatchObject({ created: false });
    await records().delete(owner, id, KEY);
    expect(await records().create(owner, systemIds.next("spl"), REGISTER, KEY)).toMatchObject({
      created: true,
    });
  });

  it("never change their kind", async () => {
    await make();
    expect(await records().change(owner, id, { kind: "own" }, KEY)).toEqual({ saved: false, reason: "kind" });
    expect(await records().change(owner, id, { kind: "registry" }, KEY)).toMatchObject({ saved: true });
    expect(await told()).toHaveLength(1);
  });

  it("are to be told to the log with each change, and by nothing that changes nothing", async () => {
    await make();
    const asOf = world.clock.now();
    await records().change(owner, id, { name: "Register" }, KEY);
    await records().change(owner, id, { name: "Register", active: true }, KEY);
    expect(await load(asOf)).toBe(true);
    await records().change(owner, id, { active: false }, KEY);
    await records().delete(owner, id, KEY);
    const same = { owner, listId: id, kind: "registry" };
    const events = await told();
    expect(events).toMatchObject([
      {
        type: "SuppressionListChanged",
        data: { ...same, name: REGISTER.name, active: true, deleted: false },
      },
      { type: "SuppressionListChanged", data: { ...same, name: "Register", active: true, deleted: false } },
      { type: "SuppressionListReplaced", data: { ...same, name: "Register", count: 7, sha256: SHA, asOf } },
      { type: "SuppressionListChanged", data: { ...same, name: "Register", active: false, deleted: false } },
      { type: "SuppressionListChanged", data: { ...same, name: "Register", active: false, deleted: true } },
    ]);
    const times = events.map(({ data }) => data.at);
    expect(times).toEqual([...new Set(times)].toSorted());
    const [first, ...others] = await changes();
    if (first === undefined) throw new Error("no change");
    expect(first.actor).toBe(KEY);
    await lists.published(first);
    await lists.published(first);
    expect(await changes()).toEqual(others);
  });

  it("are gone when they are deleted, for who dials too", async () => {
    await make();
    await load(world.clock.now());
    expect(await records().delete(owner, id, KEY)).toEqual({ saved: true, value: null });
    expect(await records().get(owner, id)).toBeNull();
    expect(await records().delete(owner, id, KEY)).toEqual({ saved: false, reason: "not_found" });
    expect(await load(world.clock.now())).toBe(false);
    expect(await standing()).toEqual(NO_LISTS);
  });
});

describe("how lists stand for who dials", () => {
  it("is the day of the oldest active register, if all have one", async () => {
    const day = world.clock.now();
    expect(await standing()).toEqual(NO_LISTS);
    await make();
    expect(await standing()).toMatchObject({ oldestAsOf: null });
    await load(day);
    await records().change(owner, id, { name: "Loaded" }, KEY);
    expect(await standing()).toMatchObject({ oldestAsOf: day });
    const second = systemIds.next("spl");
    await records().create(owner, second, REGISTER, KEY);
    expect(await standing()).toMatchObject({ oldestAsOf: null });
    await records().change(owner, second, { active: false }, KEY);
    await records().create(owner, systemIds.next("spl"), { ...REGISTER, kind: "other" }, KEY);
    expect(await standing()).toMatchObject({ oldestAsOf: day });
  });
});

describe("lists held against the log", () => {
  const follow = async (events: readonly SuppressionListEvent[]) => {
    for (const event of events) await lists.follow(event);
  };
  const replaced = (at: Instant): SuppressionListEvent => ({
    type: "SuppressionListReplaced",
    data: {
      ...{ owner, listId: id, name: "From the log", kind: "registry", at },
      ...{ count: 9, sha256: SHA, asOf: at },
    },
  });
  const changed = (at: Instant, rest: { readonly active: boolean; readonly deleted: boolean }) =>
    ({
      type: "SuppressionListChanged",
      data: { owner, listId: id, name: "From the log", kind: "registry", at, ...rest },
    }) satisfies SuppressionListEvent;
  const ON = { active: true, deleted: false };

  it("are not changed by what they have told it, also when they are deleted since", async () => {
    await make();
    await load(world.clock.now());
    await records().change(owner, id, { name: "Register" }, KEY);
    const before = await records().get(owner, id);
    await follow(await told());
    expect(await records().get(owner, id)).toEqual(before);
    await records().delete(owner, id, KEY);
    await follow(await told());
    expect(await records().get(owner, id)).toBeNull();
    expect(await standing()).toEqual(NO_LISTS);
  });

  it("are behind where it knows later numbers, whatever else was changed since, until they are loaded", async () => {
    await make();
    await load(world.clock.now());
    const lost = replaced(later(world.clock.now(), 5_000));
    world.clock.advance(10_000);
    await records().change(owner, id, { name: "Register" }, KEY);
    await follow([lost, lost]);
    expect(await records().get(owner, id)).toMatchObject({ behind: true, count: 7, name: "Register" });
    expect(await standing()).toMatchObject({ isBehind: true });
    await load(world.clock.now(), 2);
    await follow([lost]);
    expect(await records().get(owner, id)).toMatchObject({ behind: false });
    expect((await standing()).isBehind).toBe(false);
  });

  it("that are behind do not count while they are not active, nor when they are deleted", async () => {
    await make();
    await follow([replaced(later(world.clock.now(), 5_000))]);
    await records().change(owner, id, { active: false }, KEY);
    expect(await standing()).toEqual(NO_LISTS);
    await records().delete(owner, id, KEY);
    expect(await standing()).toEqual(NO_LISTS);
  });

  it("take a later name and switch from it, and its deletion", async () => {
    await make();
    const at = later(world.clock.now(), 5_000);
    await follow([changed(at, { active: false, deleted: false })]);
    expect(await records().get(owner, id)).toMatchObject({ name: "From the log", active: false });
    await follow([changed(later(at, 1), { active: false, deleted: true }), changed(at, ON)]);
    expect(await records().get(owner, id)).toBeNull();
  });

  it("are there again, and behind, where only it knows them", async () => {
    const at = world.clock.now();
    await follow([changed(at, ON), replaced(later(at, 1))]);
    expect(await records().get(owner, id)).toMatchObject({ active: true, count: 0, behind: true });
    const other: SuppressionListId = id;
    id = systemIds.next("spl");
    const gone = { active: false, deleted: true };
    await follow([changed(at, ON), replaced(later(at, 1)), changed(later(at, 2), gone)]);
    expect(await records().get(owner, id)).toBeNull();
    expect((await records().list(owner, FIRST_PAGE)).rows.map((row) => row.id)).toEqual([
      "spl_default",
      other,
    ]);
  });

  it("change later than it, also by a clock that is behind it", async () => {
    await make();
    const ahead = later(world.clock.now(), 60_000);
    await follow([replaced(ahead)]);
    await load(world.clock.now(), 2);
    const [loaded] = (await told()).slice(-1);
    expect(loaded?.data.at).toBe(later(ahead, 1));
    await follow(await told());
    expect(await records().get(owner, id)).toMatchObject({ behind: false });
  });
});
