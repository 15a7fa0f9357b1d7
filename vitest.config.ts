import { defineConfig } from "vitest/config";
import { resultsReporter } from "./test/support/results-reporter.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres-global-setup.ts"],
    reporters: ["default", resultsReporter()],
    // Real servers and real crashes on a busy machine: in CI a test that failed is tried again, and shown as such.
    retry: process.env["CI"] === undefined ? 0 : 2,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
