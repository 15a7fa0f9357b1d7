import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RetentionDeps, retentionRound } from "../../../application/personal-data/run-retention.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { postgresRetention } from "../../../infrastructure/personal-data/postgres-retention.ts";
import { createPostgresLeases } from "../../../infrastructure/postgres/leases.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { type ErasingWorld, erasingWorld } from "./erasing-world.ts";

const OWNER = "usr_1";
const FOREVER = "usr_2";
const DAYS = 30;
const DAY = 86_400_000;
const on = new AbortController().signal;
const page = { limit: 200, after: null };

let world: ErasingWorld;
beforeEach(async () => {
  world = await erasingWorld();
  await world.database.pool.query(
    `insert into config.users (id, name, max_concurrent_calls, max_calls_per_second, active, created_at, updated_at)
     select id, id, 1, 1, true, now(), now() from unnest($1::text[]) as id`,
    [[OWNER, FOREVER]],
  );
  await postgresRetention(world.database.pool).change(OWNER, DAYS);
});
afterEach(() => world.drop());

function retainer(processId: string, crashPoints?: CrashPoints): RetentionDeps {
  const { pool } = world.database;
  const leases = createPostgresLeases(pool);
  const shared = { ids: systemIds, processId, leases, retention: postgresRetention(pool), dayMillis: DAY };
  return { ...world.process(crashPoints), ...shared };
}

const daysAgo = (days: number) => instantFromMillis(Date.now() - Math.round(days * DAY));

async function ended(callId: CallId, days: number, owner: typeof OWNER | typeof FOREVER = OWNER) {
  await world.callWithWords({ callId, owner, at: daysAgo(days + 0.02), endedAt: daysAgo(days) });
}

async function isErased(callId: CallId): Promise<boolean> {
  return (await world.keys.of([callId])).get(callId)?.kind === "erased";
}

const erasures = async () => (await world.process().erasures.list(OWNER, page)).rows;

describe("retention", () => {
  it("is set for an owner alone, and without an end where nothing is set", async () => {
    const retention = postgresRetention(world.database.pool);
    const owners: readonly OwnerId[] = [OWNER, FOREVER, "usr_none"];
    const days = () => Promise.all(owners.map((owner) => retention.contentDays(owner)));
    expect([await days(), await retention.owners()]).toEqual([
      [DAYS, null, null],
      [{ owner: OWNER, contentDays: DAYS }],
    ]);
    await retention.change(OWNER, null);
    expect([await days(), await retention.owners()]).toEqual([[null, null, null], []]);
  });

  it("erases calls that ended longer ago than their owner keeps them, and no others", async () => {
    await ended("call_due", DAYS + 0.001);
    // Begun before that, ended after.
    await ended("call_soon", DAYS - 0.01);
    await ended("call_of_another", DAYS * 2, FOREVER);
    await world.callWithWords({ callId: "call_live", owner: OWNER, at: daysAgo(DAYS * 2), endedAt: null });
    await retentionRound(retainer("a"), on);
    const calls: CallId[] = ["call_due", "call_soon", "call_of_another", "call_live"];
    expect(await Promise.all(calls.map(isErased))).toEqual([true, false, false, false]);
    expect(await erasures()).toEqual([
      expect.objectContaining({
        kind: "retention",
        callId: null,
        phoneNumber: null,
        calls: 1,
        status: "done",
      }),
    ]);
    expect(await world.typesInLog("call_due")).toContain("CallContentErased");
    await retentionRound(retainer("a"), on);
    expect(await erasures()).toHaveLength(1);
  });

  it("of many calls goes in small steps, by one of two processes, each call once", async () => {
    const calls = Array.from({ length: 230 }, (_, index): CallId => `call_${index}`);
    await Promise.all(calls.map((callId) => ended(callId, DAYS + 1)));
    await Promise.all(["a", "b"].map((processId) => retentionRound(retainer(processId), on)));
    const made = await erasures();
    expect(made.map((each) => [each.calls, each.status]).toSorted()).toEqual([
      [100, "done"],
      [100, "done"],
      [30, "done"],
    ]);
    const lines = (await readFile(world.file, "utf8")).split("\n").filter((line) => line !== "");
    expect(new Set(lines.map((line) => JSON.parse(line).callId))).toEqual(new Set(calls));
    expect(lines).toHaveLength(calls.length);
  });

  it.each(["erasures.begin.after", "erasures.eraseKeys.before", "recordings.erase.before"])(
    "that dies at %s is finished by another process, and nothing is begun twice",
    async (point) => {
      await ended("call_due", DAYS + 1);
      const dying = retainer("a", {
        reached: (here) => {
          if (here === point) throw new Error("died");
          return undefined;
        },
      });
      await retentionRound(dying, on).catch(() => undefined);
      expect((await erasures()).map(({ status }) => status)).toEqual(["running"]);
      // While the dead one's lease lasts nobody else begins.
      await retentionRound(retainer("b"), on);
      expect((await erasures()).map(({ status }) => status)).toEqual(["running"]);
      await world.database.pool.query("update work.leases set until = now()");
      await retentionRound(retainer("b"), on);
      expect((await erasures()).map(({ status }) => status)).toEqual(["done"]);
      expect(await isErased("call_due")).toBe(true);
    },
  );
});
