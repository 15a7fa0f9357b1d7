import type { ProcessorStatus } from "./log/processor-status.ts";
import { START } from "./ports/event-store.ts";
import type { Logger } from "./ports/logger.ts";

export type LoopName =
  | "campaign-runner"
  | "call-watchdog"
  | "webhook-due-ends"
  | "import-cleanup"
  | "opt-out-events"
  | "list-events"
  | "analysis-runner";

/**
 * What the engine's loops have given up for good since this process started. /health/ready and /metrics show
 * the number, the log file the details.
 */
export type GivenUp = {
  readonly add: (loop: LoopName, what: Readonly<Record<string, string>>, error: unknown) => void;
  readonly count: (loop: LoopName) => number;
  /** For loops that follow no log. */
  readonly statuses: () => readonly ProcessorStatus[];
};

const WITHOUT_A_POSITION: readonly LoopName[] = [
  "call-watchdog",
  "webhook-due-ends",
  "import-cleanup",
  "opt-out-events",
  "list-events",
  "analysis-runner",
];

export function createGivenUp(logger: Logger): GivenUp {
  const counts = new Map<LoopName, number>();
  const count = (loop: LoopName) => counts.get(loop) ?? 0;
  return {
    add: (loop, what, error) => {
      counts.set(loop, count(loop) + 1);
      logger.error({ processor: loop, ...what, error }, "left aside for good");
    },
    count,
    statuses: () =>
      WITHOUT_A_POSITION.map((name) => ({
        name,
        position: START,
        lagMillis: 0,
        lastMovedAt: null,
        parked: count(name),
      })),
  };
}
