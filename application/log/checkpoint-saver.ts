import type { Clock } from "../ports/clock.ts";

/** Shortest time between two saves. */
const SAVE_EVERY_MILLIS = 250;

type SaverDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly isSaved: () => boolean;
  /** Saves the progress; one try. */
  readonly save: () => Promise<void>;
  /** Retries while a store is unavailable; rejects for permanent failures. */
  readonly retryWhileTransient: (work: () => Promise<void>) => Promise<unknown>;
};

export type CheckpointSaver = {
  /**
   * Saves at once if nothing was saved lately, else soon. Throws the permanent failure of an earlier save.
   */
  readonly moved: () => void;
  /** Saves the last progress with one try, and gives up if a store is unavailable. Never rejects. */
  readonly end: () => Promise<void>;
};

/**
 * Saves in the background, so that the work does not wait. What was done after the last save is done again
 * after a crash. The work must be durable before `moved`.
 */
export function createCheckpointSaver(deps: SaverDeps, stop: AbortSignal): CheckpointSaver {
  const { clock, isSaved, save, retryWhileTransient } = deps;
  let savedAt = Number.NEGATIVE_INFINITY;
  let saving: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;

  const saveAll = async (): Promise<void> => {
    try {
      while (!stop.aborted && !isSaved()) {
        const wait = savedAt + SAVE_EVERY_MILLIS - clock.monotonicMillis();
        if (wait > 0) await clock.sleep(wait, stop);
        await retryWhileTransient(save);
        savedAt = clock.monotonicMillis();
      }
    } catch (error) {
      failure = { error };
    } finally {
      saving = null;
    }
  };
  return {
    moved: () => {
      if (failure !== null) throw failure.error;
      if (saving === null && !isSaved() && !stop.aborted) saving = saveAll();
    },
    end: async () => {
      await saving;
      if (!isSaved()) await save().catch(() => undefined);
    },
  };
}
