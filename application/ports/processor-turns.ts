/**
 * Which of the processes of an installation does the work of a processor of the log (a read model, a reaction) now. It saves work and guards nothing:
 * two that both believe to have the turn do it twice, which changes nothing.
 */
export interface ProcessorTurns {
  /** null: another process has it, or nobody can tell now; ask again soon. A process that dies has no turn any more. Never rejects. */
  tryTake(processor: string): Promise<Turn | null>;
}

export type Turn = {
  /** Aborts when another process may have taken the turn. */
  readonly lost: AbortSignal;
  readonly release: () => void;
};
