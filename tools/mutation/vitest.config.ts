import { defineConfig } from "vitest/config";
import tests from "./tests.json" with { type: "json" };

/**
 * The second opinion (`--testRunner vitest`): the tests that tests.json names for the ordinary judge, in
 * fresh processes. Few runs of each property, because every mutant waits for them.
 */
export default defineConfig({
  test: {
    ...tests,
    env: { PROPERTY_RUNS: "20", CONVERSATION_RUNS: "25", SIMULATION_SEED: "1" },
    testTimeout: 180_000,
  },
});
