import { defineConfig } from "vitest/config";
import { BROWSER, BROWSER_REQUIRED } from "./test/support/browser.ts";
import { LongFirst } from "./test/support/long-first.ts";
import { resultsReporter } from "./test/support/results-reporter.ts";
import { PEERS, PEERS_REQUIRED } from "./test/support/telephony/peers.ts";

/**
 * Files that start programs, need a core for themselves, or depend on which module was loaded first: each
 * runs in its own process.
 */
const ALONE = [
  "test/drills/**/*.test.ts",
  "test/programs/**/*.test.ts",
  "test/simulation/*.test.ts",
  "test/support/**/*.test.ts",
  "test/**/*.peers.test.ts",
];

const BROWSER_FILES = "test/dashboard/browser/**/*.test.ts";

const EVERYWHERE = {
  pool: "forks",
  maxWorkers: 3,
  // Only what hangs may meet them: also on a machine that does ten other things.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

const NOT_HERE = [
  ...(BROWSER === null && !BROWSER_REQUIRED ? ["test/dashboard/browser/**"] : []),
  ...(PEERS === null && !PEERS_REQUIRED ? ["test/**/*.peers.test.ts"] : []),
];

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-global-setup.ts"],
    reporters: ["default", resultsReporter()],
    sequence: { sequencer: LongFirst },
    maxWorkers: EVERYWHERE.maxWorkers,
    projects: [
      { test: { ...EVERYWHERE, name: "alone", include: ALONE, exclude: NOT_HERE } },
      // Our modules keep no state but caches, so these files share processes: two thirds of their time was
      // loading the same modules again.
      {
        test: {
          ...EVERYWHERE,
          name: "together",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...ALONE, BROWSER_FILES, ...NOT_HERE],
        },
      },
      // The same, and one Chromium for all of them, which works beside each: two keep two cores busy.
      // Other counts of workers want a group of their own.
      {
        test: {
          ...EVERYWHERE,
          name: "browser",
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          globalSetup: ["test/dashboard/browser/chromium-global-setup.ts"],
          include: [BROWSER_FILES],
          exclude: NOT_HERE,
        },
      },
    ],
  },
});
