import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDERS = [
  "application",
  "infrastructure",
  "simulation",
  "api",
  "projections",
  "composition",
  "programs",
  "test",
  "bench",
];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
).filter((file) => file !== "test/architecture/composition.test.ts");

function calling(name: string): readonly string[] {
  const call = new RegExp(`(?<!function )\\b${name}\\(`);
  return files.filter((file) => call.test(readFileSync(join(ROOT, file), "utf8")));
}

it.each([
  // The engine of the service, of the simulation and of the worlds of tests is made in one
  // place (decision 70).
  ["createEngine", ["composition/compose-engine.ts"]],
  [
    "composeEngine",
    [
      "composition/open-engine.ts",
      "test/application/engine-world.ts",
      "simulation/campaigns/simulated-process.ts",
    ],
  ],
  [
    "openForReading",
    ["programs/rebuild.ts", "programs/replay-command.ts", "simulation/drills/drill-world.ts"],
  ],
  [
    "openStores",
    [
      "composition/service.ts",
      "composition/open-for-reading.ts",
      "test/api/support/analysed-call.ts",
      "test/api/support/planted-call.ts",
    ],
  ],
  ["openEngine", ["composition/service.ts"]],
  ["openAdapters", ["composition/service.ts"]],
  ["openCarrierLine", ["composition/service.ts"]],
])("%s is called where a process is composed, and nowhere else", (name, where) => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(calling(name).toSorted()).toEqual(where.toSorted());
});
