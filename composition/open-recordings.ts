import { recordedCalls } from "../application/recordings/copy-limits.ts";
import { hearRecording } from "../application/recordings/hear-recording.ts";
import { recordingsReaction } from "../application/recordings/recordings-reaction.ts";
import { runRecordings } from "../application/recordings/run-recordings.ts";
import type { CallId } from "../domain/shared/ids.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { removeUnfinished } from "../infrastructure/recordings/recording-files.ts";
import type { Adapters } from "./open-adapters.ts";
import type { CarrierLine } from "./open-carriers.ts";
import type { ServiceContext } from "./service-context.ts";

const TIDY_EVERY_MILLIS = 3_600_000;

/** Recordings: served by the API, copied from the carriers by one of the processes. */
export function openRecordings(
  { config, logger, metrics }: ServiceContext,
  adapters: Adapters,
  { carriers, aggregates: { calls } }: CarrierLine,
) {
  if (config.role !== "all")
    logger.info(
      { recordingsDir: config.recordingsDir },
      "RECORDINGS_DIR: all processes of this installation need this very folder, shared",
    );
  const recorded = recordedCalls(calls, systemClock);
  const deps = { ...adapters, carriers, recorded, clock: systemClock, logger, metrics };
  return {
    reaction: recordingsReaction({ ...adapters, calls }),
    hear: (callId: CallId) => hearRecording(deps, callId),
    run: async (stop: AbortSignal): Promise<void> => {
      await Promise.all([runRecordings(deps, stop), tidy(config.recordingsDir, stop)]);
    },
  };
  /** Removes unfinished files of dead writers. */
  async function tidy(directory: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await removeUnfinished(directory, systemClock.nowMillis()).catch((error: unknown) =>
        logger.warn({ problem: String(error) }, "RECORDINGS_DIR cannot be tidied"),
      );
      await systemClock.sleep(TIDY_EVERY_MILLIS, stop);
    }
  }
}

export type OpenRecordings = ReturnType<typeof openRecordings>;
