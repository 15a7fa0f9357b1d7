import { type Instant, notBefore } from "./instant.ts";

/**
 * An aggregate as three plain values. `decide` returns the events of a command (none when it is
 * already true) and throws `DomainError` for what is forbidden. `evolve` accepts every event in every
 * state and never throws.
 *
 * `evolve` may mutate and return the given state. The caller owns that state, and `initialState` makes a
 * fresh one each time.
 */
export type Decider<State, Command, Event> = {
  readonly initialState: () => State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
};

export type Of<Message extends { readonly type: string }, Type extends Message["type"]> = Extract<
  Message,
  { readonly type: Type }
>;

/**
 * The command at a time that is not before the stream's latest event, so that times of a stream never
 * decrease: a command waits in line with the time at which it was made, and clocks of processes differ.
 */
export function inOrder<Command extends { readonly now: Instant }>(
  command: Command,
  { lastAt }: { readonly lastAt: Instant | null },
): Command {
  return { ...command, now: notBefore(lastAt, command.now) };
}

/** Folds `events` onto `state`, which it may mutate. Do not share that state before the fold is done. */
export function fold<State, Event>(
  decider: Pick<Decider<State, never, Event>, "evolve">,
  state: State,
  events: Iterable<Event>,
): State {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
}
