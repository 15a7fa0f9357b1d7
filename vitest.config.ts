import { defineConfig } from "vitest/config";
import { BROWSER, BROWSER_REQUIRED } from "./test/support/browser.ts";
import { ALONE, BROWSER_FILES, PROGRAMS } from "./test/support/halves.ts";
import { PYTHON } from "./test/support/languages.ts";
import { LongFirst } from "./test/support/long-first.ts";
import { resultsReporter } from "./test/support/results-reporter.ts";
import { PEERS, PEERS_REQUIRED } from "./test/support/telephony/peers.ts";

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
  ...(PYTHON === null ? ["test/**/*.python.test.ts"] : []),
];

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-global-setup.ts"],
    reporters: ["default", resultsReporter()],
    sequence: { sequencer: LongFirst },
    maxWorkers: EVERYWHERE.maxWorkers,
    projects: [
      // The first half, `npm test`.
      { test: { ...EVERYWHERE, name: "alone", include: ALONE } },
      // Our modules keep no state but caches, so these files share processes: two thirds of their time was
      // loading the same modules again.
      {
        test: {
          ...EVERYWHERE,
          name: "together",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...ALONE, ...PROGRAMS, BROWSER_FILES],
        },
      },
      // The second half, `npm run test:rest`: each in its own process.
      { test: { ...EVERYWHERE, name: "programs", include: PROGRAMS, exclude: NOT_HERE } },
      // Share processes, and one Chromium for all of them, which works beside each: two keep two cores busy.
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
