import { defineConfig } from "vitest/config";

/** The domain by its own tests, which need no database; few runs of each property, for every mutant waits for them. */
export default defineConfig({
  test: {
    include: ["test/domain/**/*.test.ts"],
    env: { PROPERTY_RUNS: "30" },
    testTimeout: 30_000,
  },
});
