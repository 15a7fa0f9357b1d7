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
