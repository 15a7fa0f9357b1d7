import type { Instant } from "../shared/instant.ts";
import type { Effect } from "./effects.ts";
import type { ConversationState, TimerName } from "./state.ts";

/**
 * One step of a conversation: the state, the time of the step, and the effects. `mono`: monotonic ms; `line`:
 * those for which the line did not stand still.
 */
export type Move = ConversationState & {
  readonly now: Instant;
  readonly mono: number;
  readonly line: number;
  readonly out: Effect[];
};

/** What is waited for on the line: does not come nearer while it stands still. */
const OF_LINE: ReadonlySet<TimerName> = new Set<TimerName>([
  "silence",
  "speech",
  "digits",
  "settle",
  "heard",
  "drain",
  "voicemail",
  "warning",
  "maximum",
]);

/** Fires in so many ms of our clock. A timer that is set again is replaced. */
export function setTimer({ live, mono, line }: Move, name: TimerName, millis: number): void {
  live.timers.set(name, (OF_LINE.has(name) ? line : mono) + millis);
}

/** Fires in so many ms of line time. */
export function setLineTimer(move: Move, name: TimerName, lineMillis: number): void {
  setTimer(move, name, lineMillis / move.speed);
}

export function clearTimer({ live }: Move, ...names: readonly TimerName[]): void {
  for (const name of names) live.timers.delete(name);
}

/** Monotonic moment of a timer that was set. `stood`: ms for which the line has stood still. */
export function momentOf(name: TimerName, due: number, stood: number): number {
  return OF_LINE.has(name) ? due + stood : due;
}

/** Monotonic moment of the next timer; null: none. */
export function nextDue({ live }: Pick<ConversationState, "live">, stood: number): number | null {
  let next: number | null = null;
  for (const [name, due] of live.timers) {
    const moment = momentOf(name, due, stood);
    if (next === null || moment < next) next = moment;
  }
  return next;
}
