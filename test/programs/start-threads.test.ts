import { spawnSync } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { START_ARGUMENTS } from "../../programs/start-arguments.ts";

const [program = "", ...flags] = START_ARGUMENTS.toReversed();

/** What a thread of the program has: fills its new space, and answers before the program ends. */
const THREAD = `
  import { getCompileCacheDir } from "node:module";
  import { getHeapSpaceStatistics } from "node:v8";
  import { workerData } from "node:worker_threads";
  let most = 0;
  for (let round = 0; round < 200; round += 1) {
    Array.from({ length: 20_000 }, (_, index) => ({ index }));
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    most = Math.max(most, space.space_size);
  }
  const told = new Int32Array(workerData);
  told[0] = most;
  told[1] = getCompileCacheDir() === undefined ? 0 : 1;
  Atomics.store(told, 2, 1);
  Atomics.notify(told, 2);
`;

const ASKS_A_THREAD = `
  import { Worker } from "node:worker_threads";
  process.argv.push("start", "--help");
  await import(${JSON.stringify(pathToFileURL(program.replace(/js$/, "ts")).href)});
  const told = new Int32Array(new SharedArrayBuffer(12));
  new Worker(${JSON.stringify(THREAD)}, {
    eval: true,
    workerData: told.buffer,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  Atomics.wait(told, 2, 0, 60_000);
  process.stderr.write(JSON.stringify({ newSpace: told[0], hasCompiled: told[1] === 1 }));
`;

it("gives its threads the modules that it has compiled, and no more room than their limits say", () => {
  const args = [...flags.toReversed(), "--input-type=module", "--eval", ASKS_A_THREAD];
  const { stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  const { newSpace, hasCompiled } = JSON.parse(stderr.slice(stderr.lastIndexOf("{")));
  expect(newSpace).toBeGreaterThan(0);
  // Some pages more than its limit while it is collected; the command line's semi-space would take 32 MiB.
  expect(newSpace).toBeLessThan(2 * 8 * 2 ** 20);
  expect(hasCompiled).toBe(true);
});
