import type { Instant } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventStore, Position } from "../ports/event-store.ts";
import type { ProcessorTurns } from "../ports/processor-turns.ts";

const LOOK_AGAIN_MILLIS = 1_000;

/** Where every process is to do all the work, or there is only one and nothing that it stored can be lost: everybody has every turn at once and for good. */
export const everybodysTurn: ProcessorTurns = {
  tryTake: async () => ({ lost: new AbortController().signal, release: () => undefined }),
};

export type InTurn = {
  /** While it has the turn: resolves soon after `signal` aborts, because the turn is lost or it is to stop. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** About every second while another process has it. */
  readonly meanwhile: () => Promise<void>;
};

/** Does the work of a processor whenever it is this process's turn, until `stop` aborts. Rejects with what either part rejects; the turn is given back then. */
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

/** When the oldest event after `position` was written: since then a processor that stands there is behind. null: it has taken all. */
export async function behindSince(
  { eventStore }: { readonly eventStore: Pick<EventStore, "readAll"> },
  position: Position,
): Promise<Instant | null> {
  const { events } = await eventStore.readAll({ after: position, limit: 1 });
  return events[0]?.created ?? null;
}
