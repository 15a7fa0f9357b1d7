import { defineConfig } from "vitest/config";

/**
 * The domain and the application by the tests that need no database: their own, the contract suites on the adapters in memory, and the known seeds of
 * the simulation. Few runs of each property, for every mutant waits for them. What lies under test/application and asks PostgreSQL is left out.
 */
export default defineConfig({
  test: {
    include: [
      "test/domain/**/*.test.ts",
      "test/application/**/*.test.ts",
      "test/contracts/*/memory.test.ts",
      "test/simulation/known-seeds.test.ts",
    ],
    exclude: ["test/application/personal-data/*.test.ts", "test/application/recordings/recordings.test.ts"],
    env: { PROPERTY_RUNS: "30", CONVERSATION_RUNS: "100" },
    testTimeout: 180_000,
  },
});
