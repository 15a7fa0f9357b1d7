import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../simulation/campaigns/seeded-random.ts";
import { makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { inTime } from "../../simulation/drills/drill-quiet.ts";
import type { DrillWorld } from "../../simulation/drills/drill-world.ts";
import { canLimitDisks, makeLimitedDisk } from "../../simulation/drills/limited-disk.ts";
import { standingClock } from "../../simulation/drills/moved-clock.ts";
import { overTheEdge, STANDS_AT_MILLIS } from "../../simulation/drills/over-the-edge.ts";
import { type PreparedData, prepareData } from "../../simulation/drills/prepared-data.ts";
import { startRemoteDatabase } from "../../simulation/drills/remote-database.ts";
import { disturbed, type FaultResult, runFault, untilDialled } from "../../simulation/drills/run-fault.ts";
import { postmasterOf } from "../support/postmaster.ts";

const LONG_MILLIS = 600_000;
/**
 * These faults depend on the machine's timing: a failed one is tried once more, and the
 * run's last lines say so.
 */
const LONG = { timeout: LONG_MILLIS, retry: 1 };
const DATABASE_AWAY_MILLIS = 2_000;
/** Longer than a dial may be sent after its write-ahead (5 s, docs/architecture.md §3). */
const STOPPED_MILLIS = 6_000;
/** Right, write-ahead, end and outcome of an attempt. */
const APPENDED = ["ContactDialed", "CallDialingBegan", "CallCompleted", "ContactSucceeded"];
/** The name of the prepared statement, as PostgreSQL's protocol carries it. */
const APPEND_STATEMENT = "append\0";
const DISK_MEGABYTES = 100;
const DISK_FULL_MILLIS = 60_000;
const LOST_WITHIN_MILLIS = 120_000;

let prepared: PreparedData;
beforeAll(async () => {
  prepared = await prepareData();
}, LONG_MILLIS);
afterAll(() => prepared.remove());

function expectNoProblems({ problems, log }: FaultResult): void {
  expect(problems, log.slice(-4_000)).toEqual([]);
}

// Those that wait longest start first.

it.concurrent("dials nobody after the window has closed while it stood still", LONG, async () => {
  const folder = makeDrillFolder();
  const database = await startRemoteDatabase();
  try {
    const clock = await standingClock(folder.path, database.connection, STANDS_AT_MILLIS);
    const world = {
      prepared,
      simulatorSeed: 6,
      crashAt: ["carrier.placeCall.before:1:SIGSTOP"],
      env: database.env,
      everywhere: clock.env,
    };
    expectNoProblems(await runFault(world, overTheEdge(clock, 6)));
  } finally {
    await database.close();
    await folder.remove();
  }
});

it.runIf(canLimitDisks()).concurrent(
  "keeps every promise when its disk is full for a minute",
  LONG,
  async () => {
    const disk = makeLimitedDisk(DISK_MEGABYTES);
    const full = async (world: DrillWorld) => {
      await untilDialled(world, 5);
      await disk.fill();
      await wait(DISK_FULL_MILLIS);
      await disk.clear();
    };
    try {
      const world = { prepared, simulatorSeed: 7, disk: disk.path };
      const result = await runFault(world, disturbed(7, full));
      expectNoProblems(result);
      expect(result.log).toContain("No space left on device");
    } finally {
      disk.remove();
    }
  },
);

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
    expectNoProblems(await runFault({ prepared, simulatorSeed: 1 }, disturbed(1, killed)));
  },
);

it.concurrent("keeps every promise when it stands still for some seconds in mid-campaign", LONG, async () => {
  const stopped = async (world: DrillWorld) => {
    await untilDialled(world, 5);
    world.service.signal("SIGSTOP");
    await wait(STOPPED_MILLIS);
    world.service.signal("SIGCONT");
  };
  expectNoProblems(await runFault({ prepared, simulatorSeed: 2 }, disturbed(2, stopped)));
});

it.concurrent("keeps every promise when its embedded database is killed", LONG, async () => {
  const killed = async (world: DrillWorld) => {
    await untilDialled(world, 5);
    process.kill(postmasterOf(world.dataDir), "SIGKILL");
  };
  expectNoProblems(await runFault({ prepared, simulatorSeed: 3 }, disturbed(3, killed)));
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
    expectNoProblems(await runFault({ prepared, simulatorSeed: 4, env: database.env }, disturbed(4, killed)));
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
      expectNoProblems(await runFault({ prepared, simulatorSeed: 5, env }, disturbed(5, lossy)));
      expect(proxy.lost()).toBe(APPENDED.length);
    } finally {
      await close();
    }
  },
);
