/** Undefined table, invalid schema name. */
const GONE_SQLSTATES = ["42P01", "3F000"];

/** The tables of a statement do not exist: never built, or dropped. */
export function isOfMissingTables(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    GONE_SQLSTATES.includes(error.code)
  );
}
