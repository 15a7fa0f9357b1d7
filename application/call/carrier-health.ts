import type { PlaceCallResult } from "../ports/carrier.ts";

/** Dials in a row that the carrier did not answer at all, after which it counts as unavailable (docs/api.md §5, pauseReason). */
const DIALS_IN_A_ROW = 5;

/** What this process has seen of the carrier. It is asked again each 10 s while it is unavailable (call-watchdog). */
export type CarrierHealth = {
  readonly unavailable: () => boolean;
  readonly sawDial: (result: PlaceCallResult) => void;
  /** A campaign that is taken over says that it was away: it must answer before anybody is dialled. */
  readonly assumeUnavailable: () => void;
  readonly sawAnswer: () => void;
  /** Calls the listener whenever `unavailable` changes. */
  readonly onChange: (listener: () => void) => () => void;
};

export function createCarrierHealth(): CarrierHealth {
  const listeners = new Set<() => void>();
  let unanswered = 0;

  const become = (count: number) => {
    const before = unanswered >= DIALS_IN_A_ROW;
    unanswered = count;
    if (before === unanswered >= DIALS_IN_A_ROW) return;
    for (const listener of listeners) listener();
  };

  return {
    unavailable: () => unanswered >= DIALS_IN_A_ROW,
    sawDial: (result) => {
      const answered = result.kind === "accepted" || result.kind === "throttled" || !result.noAnswerAtAll;
      become(answered ? 0 : unanswered + 1);
    },
    assumeUnavailable: () => become(Math.max(unanswered, DIALS_IN_A_ROW)),
    sawAnswer: () => become(0),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
