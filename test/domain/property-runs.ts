/**
 * Runs of a property test: 1,000 in CI, `PROPERTY_RUNS=100000 npx vitest run test/domain` before a release.
 */
export const PROPERTY_RUNS = Number(process.env["PROPERTY_RUNS"] ?? 1_000);

/** Grows with the runs: a busy machine is no counterexample. */
export const PROPERTY_TIMEOUT = { timeout: 60_000 + 20 * PROPERTY_RUNS };
