import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { type EventStore, isEventStoreFailure } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Violation } from "../../application/ports/verifications.ts";
import { verifyLog } from "../../application/verification/read-log.ts";
import { MOST_VIOLATIONS } from "../../application/verification/verify-policy.ts";
import { createPostgresEventStore } from "../log/postgres/event-store.ts";
import type { FromVerifier, VerifiedLog, VerifierStart } from "./verifier-thread.ts";

/** Violations of one message. */
const AT_ONCE = 500;
const TOLD_EACH_MILLIS = 250;
/** What the log has to say is said by the process that has it. */
const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const { log, task }: VerifierStart = workerData;
await work(await openLog(log));

async function work(eventStore: EventStore): Promise<void> {
  try {
    let told = 0;
    const { violations, ...result } = await verifyLog(eventStore, {
      policy: task.judgedBy ?? "in_force",
      owner: task.owner,
      from: task.from,
      until: task.until,
      tzdata: process.versions["tz"] ?? "unknown",
      onProgress: (progress) => {
        const now = Date.now();
        if (now - told < TOLD_EACH_MILLIS) return;
        told = now;
        tell({ kind: "told", ...progress });
      },
    });
    tellViolations(violations);
    tell({ kind: "done", result });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    tell({ kind: "failed", problem, mayFollow: isEventStoreFailure(error, "unavailable") });
  } finally {
    await eventStore.close();
  }
}

function tellViolations(violations: Iterable<Violation>): void {
  let piece: Violation[] = [];
  let count = 0;
  for (const violation of violations) {
    if (count === MOST_VIOLATIONS) break;
    count += 1;
    piece.push(violation);
    if (piece.length < AT_ONCE) continue;
    tell({ kind: "found", violations: piece });
    piece = [];
  }
  tell({ kind: "found", violations: piece });
}

function tell(message: FromVerifier): void {
  parentPort?.postMessage(message);
}

async function openLog(where: VerifiedLog): Promise<EventStore> {
  if (where.kind === "postgres")
    return createPostgresEventStore(silent, { connection: where.connection, readers: 2 });
  const { createEventStoreDbEventStore } = await import("../log/eventstoredb/event-store.ts");
  return createEventStoreDbEventStore(silent, { url: where.url, prefix: where.prefix });
}
