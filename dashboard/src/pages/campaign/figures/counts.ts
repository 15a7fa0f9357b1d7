import type { StoryMoment } from "../../../../../client/story/fold-story.ts";

/** With the names of the API, and of those who wait for their first call. */
export type Counts = {
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  /** Still to be called: `notCalledYet` and `waitingRetry`. */
  readonly pendingCalls: number;
  readonly notCalledYet: number;
  readonly waitingRetry: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  /** Also among the others. */
  readonly optedOut: number;
  /** Also in `waitingRetry`. */
  readonly waitingCallbacks: number;
};

export function countsOf({ counts, totalContacts, optedOut, callbacks }: StoryMoment): Counts {
  const [pending = 0, dialing = 0, waiting = 0, succeeded = 0, failed = 0, skipped = 0] = counts;
  return {
    totalContacts,
    successfulCalls: succeeded,
    failedCalls: failed,
    pendingCalls: pending + waiting,
    notCalledYet: pending,
    waitingRetry: waiting,
    activeCalls: dialing,
    skippedContacts: skipped,
    optedOut: optedOut.size,
    waitingCallbacks: callbacks.size,
  };
}
