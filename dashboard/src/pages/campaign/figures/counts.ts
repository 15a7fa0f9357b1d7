import type { StoryMoment } from "../../../../../client/story/fold-story.ts";

/** With the names of the API. */
export type Counts = {
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  readonly pendingCalls: number;
  readonly waitingRetry: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  readonly attempts: number;
};

export function countsOf({ counts, totalContacts, attempts }: StoryMoment): Counts {
  const [pending = 0, dialing = 0, waiting = 0, succeeded = 0, failed = 0, skipped = 0] = counts;
  return {
    totalContacts,
    successfulCalls: succeeded,
    failedCalls: failed,
    pendingCalls: pending + waiting,
    waitingRetry: waiting,
    activeCalls: dialing,
    skippedContacts: skipped,
    attempts,
  };
}
