import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { seededRandom } from "../simulation/seeded-random.ts";
import { inTime } from "../support/drills/drill-quiet.ts";
import type { DrillWorld } from "../support/drills/drill-world.ts";
import { startRemoteDatabase } from "../support/drills/remote-database.ts";
import { runFault, untilDialled } from "../support/drills/run-fault.ts";

const LONG = { timeout: 600_000 };
const DATABASE_AWAY_MILLIS = 2_000;
/** Longer than anything may be sent after its write-ahead (5 s, architecture.md §3). */
const STOPPED_MILLIS = 6_000;
/** Right, write-ahead, end and outcome of an attempt. */
const APPENDED = ["ContactDialed", "CallDialingBegan", "CallCompleted", "ContactSucceeded"];
/** The name of the prepared statement, as PostgreSQL's protocol carries it. */
const APPEND_STATEMENT = "append\0";
const LOST_WITHIN_MILLIS = 120_000;

function expectNoProblems({ problems, log }: Awaited<ReturnType<typeof runFault>>): void {
  expect(problems, log.slice(-4_000)).toEqual([]);
}

it.concurrent(
  "keeps every promise when it is killed three times under load, whenever that is",
  LONG,
  async () => {
    const random = seededRandom(1);
    const killed = async (world: DrillWorld) => {
      for (const dials of [2, 8, 14]) {
        await untilDialled(world, dials);
        await wait(random.between(0, 400));
        world.service.signal("SIGKILL");
      }
    };
    expectNoProblems(await runFault(1, killed));
  },
);

it.concurrent("keeps every promise when it stands still for some seconds in mid-campaign", LONG, async () => {
  const stopped = async (world: DrillWorld) => {
    await untilDialled(world, 5);
    world.service.signal("SIGSTOP");
    await wait(STOPPED_MILLIS);
    world.service.signal("SIGCONT");
  };
  expectNoProblems(await runFault(2, stopped));
});

it.concurrent("keeps every promise when its embedded database is killed", LONG, async () => {
  const killed = async (world: DrillWorld) => {
    await untilDialled(world, 5);
    process.kill(postmasterOf(world.dataDir), "SIGKILL");
  };
  expectNoProblems(await runFault(3, killed));
});

it.concurrent("keeps every promise when its database is killed and comes back", LONG, async () => {
  const database = await startRemoteDatabase();
  const killed = async (world: DrillWorld) => {
    await untilDialled(world, 5);
    await database.kill();
    await wait(DATABASE_AWAY_MILLIS);
    await database.startAgain();
  };
  try {
    expectNoProblems(await runFault(4, killed, database.env));
  } finally {
    await database.close();
  }
});

it.concurrent(
  "keeps every promise when the answers to its appends are lost after their commit",
  LONG,
  async () => {
    const { proxy, env, close } = await startRemoteDatabase();
    const lossy = async (world: DrillWorld) => {
      for (const [index, type] of APPENDED.entries()) {
        proxy.loseAnswer([APPEND_STATEMENT, type]);
        await inTime(`a lost answer about ${type}`, async () => proxy.lost() > index, LOST_WITHIN_MILLIS);
      }
      await untilDialled(world, 8);
    };
    try {
      expectNoProblems(await runFault(5, lossy, env));
      expect(proxy.lost()).toBe(APPENDED.length);
    } finally {
      await close();
    }
  },
);

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}
