import type { Clock } from "../ports/clock.ts";

/** A checkpoint is written no more often. */
const SAVE_EVERY_MILLIS = 250;

type SaverDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly isSaved: () => boolean;
  /** Saves how far the work has come; one try. */
  readonly save: () => Promise<void>;
  /** Tries again while a store is away; rejects what fails for good. */
  readonly retryWhileTransient: (work: () => Promise<void>) => Promise<unknown>;
};

export type CheckpointSaver = {
  /** Saves at once when nothing was saved lately, else soon. Throws what an earlier save failed with for good. */
  readonly moved: () => void;
  /** Saves what is not saved yet, in one try: a store that is away now has to do without. Never rejects. */
  readonly end: () => Promise<void>;
};

/**
 * Saves beside the work, which does not wait for it: what was done after the last save is done once more after a crash. The work itself must be
 * durable before `moved`.
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
