import type { Instant } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventStore, Position } from "../ports/event-store.ts";
import type { ProcessorTurns } from "../ports/processor-turns.ts";

const LOOK_AGAIN_MILLIS = 1_000;

/**
 * For work that every process does, or for a single process that cannot lose stored data: everybody
 * always has every turn.
 */
export const everybodysTurn: ProcessorTurns = {
  tryTake: async () => ({ lost: new AbortController().signal, release: () => undefined }),
};

export type InTurn = {
  /**
   * Runs while this process has the turn. Resolves soon after `signal` aborts: the turn was
   * lost, or it is to stop.
   */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Runs about every second while another process has the turn. */
  readonly meanwhile: () => Promise<void>;
};

/**
 * Does the work of a processor whenever this process has the turn, until `stop` aborts. Rejects with what
 * either part rejects, after returning the turn.
 */
export async function inTurn(
  { turns, clock }: { readonly turns: ProcessorTurns; readonly clock: Clock },
  processor: string,
  stop: AbortSignal,
  { work, meanwhile }: InTurn,
): Promise<void> {
  while (!stop.aborted) {
    const turn = await turns.tryTake(processor);
    if (turn === null) {
      await meanwhile();
      await clock.sleep(LOOK_AGAIN_MILLIS, stop);
    } else {
      try {
        await work(AbortSignal.any([stop, turn.lost]));
      } finally {
        turn.release();
      }
    }
  }
}

/**
 * When the oldest event after `position` was written: since then a processor at `position` is behind.
 * null: it has caught up.
 */
export async function behindSince(
  { eventStore }: { readonly eventStore: Pick<EventStore, "readAll"> },
  position: Position,
): Promise<Instant | null> {
  const { events } = await eventStore.readAll({ after: position, limit: 1 });
  return events[0]?.created ?? null;
}
