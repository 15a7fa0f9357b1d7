import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AttemptRecord, DeliveryStore, HealthRecord } from "../../ports/delivery-store.ts";
import type { Logger } from "../../ports/logger.ts";

export type AttemptRecorder = {
  add(attempt: AttemptRecord, health: HealthRecord | null): void;
  /** Ended attempts that are not durable yet. */
  waiting(): number;
  /** Resolves when everything added is durable, or a record failed after `giveUp` aborted. */
  drained(giveUp: AbortSignal): Promise<void>;
};

export type RecorderDeps = {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRecorded: (attempts: readonly AttemptRecord[]) => void;
};

const LARGEST_BATCH = 500;
const RETRY_MILLIS = 500;
/**
 * Under load, after a batch this large, the next one waits a moment for more: few large writes cost less
 * than many small ones.
 */
const BUSY_BATCH = 8;
const GATHER_MILLIS = 5;
const WORTH_WRITING = 64;

/**
 * Writes the ends of attempts in batches, one after another; ends during a write form the next batch. Nothing
 * is dropped while the database is unavailable.
 */
export function attemptRecorder(deps: RecorderDeps): AttemptRecorder {
  const attempts: AttemptRecord[] = [];
  const healths = new Map<OwnerId, HealthRecord>();
  let stopAt: AbortSignal | null = null;
  let writing: Promise<void> | null = null;

  const draining = new AbortController();

  const writeBatch = async (): Promise<number> => {
    const batch = attempts.slice(0, LARGEST_BATCH);
    const changed = [...healths.values()];
    await deps.store.record(batch, changed);
    attempts.splice(0, batch.length);
    for (const health of changed) if (healths.get(health.owner) === health) healths.delete(health.owner);
    deps.onRecorded(batch);
    return batch.length;
  };
  const write = async (): Promise<void> => {
    while (attempts.length > 0) {
      try {
        const written = await writeBatch();
        if (written >= BUSY_BATCH && attempts.length < WORTH_WRITING)
          await deps.clock.sleep(GATHER_MILLIS, draining.signal);
      } catch (error) {
        deps.logger.warn(
          { err: error, waiting: attempts.length },
          "webhook attempts could not be recorded yet",
        );
        if (stopAt?.aborted === true) return;
        await deps.clock.sleep(RETRY_MILLIS);
      }
    }
  };
  const start = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = null;
      // Added between the last check and this one.
      if (attempts.length > 0 && stopAt?.aborted !== true) void start();
    });
    return writing;
  };
  return {
    add(attempt, health) {
      attempts.push(attempt);
      if (health !== null) healths.set(health.owner, merged(healths.get(health.owner), health));
      void start();
    },
    waiting: () => attempts.length,
    async drained(giveUp) {
      stopAt = giveUp;
      draining.abort();
      while (attempts.length > 0 && !(giveUp.aborted && writing === null)) await start();
    },
  };
}

/** The later health counts, but a retirement found before it is kept. */
function merged(earlier: HealthRecord | undefined, later: HealthRecord): HealthRecord {
  return earlier?.version === later.version ? { ...later, retire: later.retire ?? earlier.retire } : later;
}
