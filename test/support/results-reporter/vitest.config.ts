import { defineConfig } from "vitest/config";
import { resultsReporter } from "../results-reporter.ts";

/**
 * Runs the files beside it, which fail on purpose: test/support/results-reporter.test.ts reads
 * what is said of them.
 */
export default defineConfig({
  test: {
    include: ["test/support/results-reporter/*.fixture.ts"],
    reporters: ["default", resultsReporter()],
  },
});
