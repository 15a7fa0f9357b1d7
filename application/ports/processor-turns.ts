/**
 * Decides which process of an installation does the work of a processor (a read model, a reaction). It only
 * saves work: two processes that both believe to have the turn do it twice, which changes nothing.
 */
export interface ProcessorTurns {
  /**
   * null: another process has it, or it cannot be determined now; ask again soon. A dead process loses its
   * turn. Never rejects.
   */
  tryTake(processor: string): Promise<Turn | null>;
}

export type Turn = {
  /** Aborts when another process may have taken the turn. */
  readonly lost: AbortSignal;
  readonly release: () => void;
};
