import { defineConfig } from "vitest/config";
import { BROWSER, BROWSER_REQUIRED } from "./test/support/browser.ts";
import { LongFirst } from "./test/support/long-first.ts";
import { resultsReporter } from "./test/support/results-reporter.ts";
import { PEERS, PEERS_REQUIRED } from "./test/support/telephony/peers.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      ...(BROWSER === null && !BROWSER_REQUIRED ? ["test/dashboard/browser/**"] : []),
      ...(PEERS === null && !PEERS_REQUIRED ? ["test/**/*.peers.test.ts"] : []),
    ],
    globalSetup: ["test/support/postgres-global-setup.ts"],
    reporters: ["default", resultsReporter()],
    sequence: { sequencer: LongFirst },
    pool: "forks",
    maxWorkers: 3,
    // Only what hangs may meet them: also on a machine that does ten other things.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
