/** One line for the operator at the start: the database cannot be used. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/**
 * SQLSTATEs after which the same work may succeed: connection, shutdown and start-up, full disk or other
 * resources, deadlock, cancelled by a timeout.
 */
const RETRYABLE_STATE = /^(08...|57P0.|57014|53...|40001|40P01|55P03)$/;
const RETRYABLE_SYSTEM_CODE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** `pg` has no code for a connection that it lost itself. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * Whether the database was unavailable or out of resources, rather than the work wrong. The outcome of work
 * in flight is then unknown: repeat it only where repeating is harmless.
 */
export function isRetryableDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isRetryableDatabaseError);
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null) return RETRYABLE_STATE.test(code) || RETRYABLE_SYSTEM_CODE.has(code);
  return LOST_CONNECTION.test(error.message);
}

/** A table does not exist (yet). */
export function isMissingTable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42P01";
}
