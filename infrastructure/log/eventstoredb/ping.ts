import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { failureOf, unavailable } from "./failures.ts";

/** One read of the newest event, without a retry; rejects Unavailable. */
export async function ping(connection: Connection): Promise<void> {
  const read = connection.client.readAll({ direction: "backwards", fromPosition: "end", maxCount: 1 });
  const limits = { what: "ping", idleMillis: connection.attemptTimeoutMillis, signal: connection.closing };
  try {
    await drain(read, limits, () => "go_on");
  } catch (error) {
    const failure = failureOf(error);
    throw unavailable("cause" in failure ? failure.cause : failure.kind);
  }
}
