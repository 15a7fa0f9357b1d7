import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ListLoad, ListNumbers } from "../../../application/ports/list-numbers.ts";
import type { OwnerId, SuppressionListId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { removeExpired } from "../../../infrastructure/postgres/housekeeping.ts";
import {
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  OWNER_PLAN,
} from "../../contracts/configuration/configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = await newOwner();
});

const GO_ON = new AbortController().signal;

async function newOwner(): Promise<OwnerId> {
  const id = systemIds.next("usr");
  await world.configuration.users.create({
    ...{ id, apiKeyId: systemIds.next("key"), name: "Ada" },
    plan: OWNER_PLAN,
    credits: 0,
  });
  return id;
}

async function newList(of = owner): Promise<SuppressionListId> {
  const id = systemIds.next("spl");
  const draft = { name: "Register", kind: "registry", active: true } as const;
  await world.configuration.suppressionLists.create(of, id, draft, "key_1");
  return id;
}

/** As each process has it. */
const process = (): ListNumbers => configurationOn(world.database).configuration.listNumbers;

async function begun(listId: SuppressionListId, of = owner): Promise<ListLoad> {
  const load = await process().begin(of, listId);
  if (typeof load === "string") throw new Error(`the list is ${load}`);
  return load;
}

const sorted = (numbers: Iterable<number>) =>
  Float64Array.from([...new Set(numbers)].toSorted((a, b) => a - b));
const fileOf = (numbers: Iterable<number>) => ({
  numbers: sorted(numbers),
  sha256: "ab".repeat(32),
  asOf: "2026-09-01T00:00:00.000Z" as const,
  by: "key_1",
});

async function load(listId: SuppressionListId, numbers: Iterable<number>, of = owner) {
  const loading = await begun(listId, of);
  const counts = await loading.replace(fileOf(numbers), GO_ON);
  await loading.end();
  return counts;
}

const rows = async (table: string, where = "true"): Promise<number> =>
  Number((await world.database.pool.query(`select count(*) as n from ${table} where ${where}`)).rows[0].n);
const asNumbers = (numbers: Iterable<number>): PhoneNumber[] =>
  [...numbers].map((number): PhoneNumber => `+${number}`);
const suppressed = async (numbers: Iterable<number>, of = owner) =>
  new Set(
    [...(await world.directory.suppressed(of, asNumbers(numbers)))].map((number) => Number(number.slice(1))),
  );

describe("the numbers of a list", () => {
  it("are those of the last file, whatever was on it before, and the counts say what changed", async () => {
    const listId = await newList();
    // Many blocks, some steps, neighbours and gaps.
    const number = fc.oneof(
      fc.integer({ min: 905_300_000_000, max: 905_300_000_600 }),
      fc.integer({ min: 1e7, max: 1e15 - 1 }),
    );
    const files = fc.array(fc.uniqueArray(number, { maxLength: 400 }), { minLength: 1, maxLength: 3 });
    let before = new Set<number>();
    await fc.assert(
      fc.asyncProperty(files, fc.array(number, { maxLength: 50 }), async (all, others) => {
        for (const file of all) {
          const now = new Set(file);
          expect(await load(listId, now)).toEqual({
            added: now.difference(before).size,
            removed: before.difference(now).size,
          });
          before = now;
        }
        const asked = [...before, ...others];
        expect(await suppressed(asked)).toEqual(new Set(asked.filter((each) => before.has(each))));
      }),
      { numRuns: 8 },
    );
    expect(await world.configuration.suppressionLists.get(owner, listId)).toMatchObject({
      count: before.size,
      asOf: "2026-09-01T00:00:00.000Z",
      sha256: "ab".repeat(32),
    });
  });

  it("are written in several steps without losing one", async () => {
    const listId = await newList();
    const first = Array.from({ length: 20_001 }, (_, index) => 905_300_000_000 + 3 * index);
    expect(await load(listId, first)).toEqual({ added: 20_001, removed: 0 });
    const second = first.map((number) => (number % 2 === 0 ? number : number + 1));
    const kept = first.filter((number) => number % 2 === 0).length;
    expect(await load(listId, second)).toEqual({ added: second.length - kept, removed: first.length - kept });
    const asked = [...first.slice(8_000, 8_400), ...second.slice(16_300, 16_500)];
    expect(await suppressed(asked)).toEqual(new Set(asked.filter((each) => second.includes(each))));
  });

  it("keep people from being called only while the list is active, and of its owner", async () => {
    const listId = await newList();
    await load(listId, [905_300_000_001]);
    expect(await suppressed([905_300_000_001])).toEqual(new Set([905_300_000_001]));
    expect(await world.directory.onOwnList(owner, ["+905300000001"])).toEqual(new Set());
    expect(await suppressed([905_300_000_001], await newOwner())).toEqual(new Set());
    await world.configuration.suppressionLists.change(owner, listId, { active: false }, "key_1");
    expect(await suppressed([905_300_000_001])).toEqual(new Set());
  });

  it("say on which list a number stands; the do-not-call list comes first", async () => {
    const listId = await newList();
    await load(listId, [905_300_000_001, 905_300_000_002]);
    await world.configuration.suppressions.add(owner, "+905300000002", "Asked us", "key_1");
    const entries = await world.directory.suppressions(
      owner,
      asNumbers([905_300_000_001, 905_300_000_002, 905_300_000_003]),
    );
    const list = { id: listId, name: "Register", kind: "registry" };
    expect(entries.get("+905300000001")).toEqual({
      ...{ reason: null, createdAt: "2026-09-01T00:00:00.000Z", by: null },
      list,
    });
    expect(entries.get("+905300000002")).toMatchObject({ reason: "Asked us", by: "key_1" });
    expect(entries.get("+905300000002")).not.toHaveProperty("list");
    expect(entries.size).toBe(2);
  });
});

describe("two uploads", () => {
  it("of one list are one after another, in whatever process; of one owner two at once", async () => {
    const [first, second, third] = [await newList(), await newList(), await newList()];
    const loading = await begun(first);
    expect(await process().begin(owner, first)).toBe("busy");
    const other = await begun(second);
    expect(await process().begin(owner, third)).toBe("too_many");
    const stranger = await newOwner();
    await (await begun(await newList(stranger), stranger)).end();
    await other.end();
    await (await begun(third)).end();
    await loading.end();
    await (await begun(first)).end();
  });

  it("begin at the same moment: one of them has the list", async () => {
    const listId = await newList();
    const [one, two] = [process(), process()];
    const answers = await Promise.all([
      one.begin(owner, listId),
      two.begin(owner, listId),
      one.begin(owner, listId),
    ]);
    expect(answers.filter((answer) => answer === "busy")).toHaveLength(2);
    for (const answer of answers) if (typeof answer !== "string") await answer.end();
  });

  it("tell nobody of another owner's list, nor of one that was deleted", async () => {
    const listId = await newList();
    expect(await process().begin(await newOwner(), listId)).toBe("not_found");
    const loading = await begun(listId);
    await world.configuration.suppressionLists.delete(owner, listId, "key_1");
    expect(await loading.replace(fileOf([905_300_000_001]), GO_ON)).toBe("not_found");
    expect(await process().begin(owner, listId)).toBe("not_found");
    await loading.end();
  });
});

describe("an upload that does not end", () => {
  const OLD = [905_300_000_001, 905_300_000_002];
  const NEW = Array.from({ length: 20_000 }, (_, index) => 905_400_000_000 + index);
  const silent = (listId: SuppressionListId, since: string) =>
    world.database.pool.query(
      `update work.list_loads set until = clock_timestamp() - interval '${since}'
       where list_id = $1 and until > clock_timestamp()`,
      [listId],
    );

  it("leaves the list as it was; the next one takes it, and what is left is removed", async () => {
    const listId = await newList();
    await load(listId, OLD);
    const dying = await begun(listId);
    // Its process dies behind the first step.
    const stop = new AbortController();
    const steps = dying.replace(fileOf(NEW), stop.signal);
    stop.abort(new Error("died"));
    await expect(steps).rejects.toThrow("died");
    expect(await suppressed([...OLD, ...NEW.slice(0, 5)])).toEqual(new Set(OLD));
    expect(await process().begin(owner, listId)).toBe("busy");
    await silent(listId, "6 minutes");
    const {
      rows: [{ version }],
    } = await world.database.pool.query(
      "select max(version) as version from work.list_loads where list_id = $1",
      [listId],
    );
    expect(await rows("config.list_numbers", `version = ${version}`)).toBe(128);
    expect(await load(listId, [...OLD, 905_300_000_003])).toEqual({ added: 1, removed: 0 });
    await removeExpired(world.database.pool);
    expect(await rows("config.list_numbers", `version = ${version}`)).toBe(0);
    expect(await rows("work.list_loads", `list_id = '${listId}'`)).toBe(1);
    expect(await suppressed(OLD)).toEqual(new Set(OLD));
    await dying.end();
  });

  it("and comes to life again has lost the list: it writes nothing any more", async () => {
    const listId = await newList();
    await load(listId, OLD);
    const slept = await begun(listId);
    await silent(listId, "1 second");
    const next = await begun(listId);
    const written = await rows("config.list_numbers");
    expect(await slept.replace(fileOf(NEW), GO_ON)).toBe("busy");
    expect(await rows("config.list_numbers")).toBe(written);
    expect(await next.replace(fileOf([...OLD, 905_300_000_009]), GO_ON)).toEqual({ added: 1, removed: 0 });
    await next.end();
    await slept.end();
    expect(await suppressed(OLD)).toEqual(new Set(OLD));
  });

  it("is not taken for over while it goes on, nor are numbers that count", async () => {
    const listId = await newList();
    await load(listId, OLD);
    const loading = await begun(listId);
    await removeExpired(world.database.pool);
    expect(await loading.replace(fileOf(NEW), GO_ON)).toEqual({ added: NEW.length, removed: OLD.length });
    await loading.end();
    await removeExpired(world.database.pool);
    expect(await suppressed([...OLD, ...NEW.slice(0, 5)])).toEqual(new Set(NEW.slice(0, 5)));
    expect(await rows("work.list_loads", `list_id = '${listId}'`)).toBe(1);
  });

  it("of a deleted list leaves nothing", async () => {
    const listId = await newList();
    await load(listId, NEW);
    await world.configuration.suppressionLists.delete(owner, listId, "key_1");
    expect(await suppressed(NEW.slice(0, 3))).toEqual(new Set());
    await removeExpired(world.database.pool);
    expect(await rows("work.list_loads", `list_id = '${listId}'`)).toBe(0);
  });
});
