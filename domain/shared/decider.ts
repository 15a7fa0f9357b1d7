import { type Instant, notBefore } from "./instant.ts";

/**
 * An aggregate as plain values. `decide` returns the events of a command (none when it is
 * already true) and throws `DomainError` for what is forbidden. `evolve` accepts every event in every
 * state and never throws. `types` are those of its events.
 *
 * `evolve` may mutate and return the given state. The caller owns that state, and `initialState` makes a
 * fresh one each time.
 */
export type Decider<State, Command, Event extends { readonly type: string }> = {
  readonly initialState: () => State;
  readonly types: ReadonlySet<Event["type"]>;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
};

export type Of<Message extends { readonly type: string }, Type extends Message["type"]> = Extract<
  Message,
  { readonly type: Type }
>;

/** How each event of an aggregate is folded. Its keys are the aggregate's types, listed nowhere else. */
export type Folds<State, Event extends { readonly type: string; readonly data: unknown }> = {
  readonly [Type in Event["type"]]: (state: State, data: Of<Event, Type>["data"]) => State;
};

export function typesOf<Type extends string>(folds: Readonly<Record<Type, unknown>>): ReadonlySet<Type> {
  const types = new Set<Type>();
  for (const type in folds) types.add(type);
  return types;
}

/** The commands that `rules` judge: a name in the table is a type, and its rule says what the command has. */
export type CommandOf<Rules> = {
  readonly [Type in keyof Rules]: Rules[Type] extends (fields: infer Fields, ...rest: never) => unknown
    ? { readonly type: Type } & Fields
    : never;
}[keyof Rules];

/** Folds `event` by the line of its type. */
export function foldedBy<State, Data, Type extends keyof Data>(
  folds: { readonly [Each in keyof Data]: (state: State, data: Data[Each]) => State },
  state: State,
  event: { [Each in Type]: { readonly type: Each; readonly data: Data[Each] } }[Type],
): State {
  return folds[event.type](state, event.data);
}

/** What the rule of the command's type decides. */
export function judgedBy<State, Event, Fields, Type extends keyof Fields>(
  rules: { readonly [Each in keyof Fields]: (fields: Fields[Each], state: State) => readonly Event[] },
  command: { [Each in Type]: { readonly type: Each } & Fields[Each] }[Type],
  state: State,
): readonly Event[] {
  return rules[command.type](command, state);
}

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
export function fold<State, Event extends { readonly type: string }>(
  decider: Pick<Decider<State, never, Event>, "evolve">,
  state: State,
  events: Iterable<Event>,
): State {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
}
