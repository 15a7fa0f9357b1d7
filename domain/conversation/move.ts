import type { Instant } from "../shared/instant.ts";
import type { Effect } from "./effects.ts";
import type { ConversationState, TimerName } from "./state.ts";

/** One step of a conversation: the state, the time of the step, and the effects. `mono`: monotonic ms. */
export type Move = ConversationState & {
  readonly now: Instant;
  readonly mono: number;
  readonly out: Effect[];
};

/** Fires in so many ms of our clock. A timer that is set again is replaced. */
export function setTimer({ live, mono }: Move, name: TimerName, millis: number): void {
  live.timers.set(name, mono + millis);
}

/** Fires in so many ms of line time. */
export function setLineTimer(move: Move, name: TimerName, lineMillis: number): void {
  setTimer(move, name, lineMillis / move.speed);
}

export function clearTimer({ live }: Move, ...names: readonly TimerName[]): void {
  for (const name of names) live.timers.delete(name);
}

/** Monotonic moment of the next timer; null: none. */
export function nextDue({ live }: Pick<ConversationState, "live">): number | null {
  let next: number | null = null;
  for (const due of live.timers.values()) if (next === null || due < next) next = due;
  return next;
}
