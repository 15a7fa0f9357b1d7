/** Runs of a property test: 1,000 in CI, `PROPERTY_RUNS=100000 npx vitest run test/domain` before a release. */
export const PROPERTY_RUNS = Number(process.env["PROPERTY_RUNS"] ?? 1_000);
