import { expect } from "vitest";
import type { Decider } from "../../domain/shared/decider.ts";
import { DomainError } from "../../domain/shared/errors.ts";

/** Given what happened, when a command comes: what then? */
export type Spec<Command, Event> = {
  readonly when: (command: Command) => {
    readonly thenEvents: (...events: readonly Event[]) => void;
    readonly thenTypes: (...types: readonly string[]) => void;
    readonly thenRefused: (code: string) => void;
    readonly events: () => readonly Event[];
  };
};

export function specOf<State, Command, Event extends { readonly type: string }>(
  decider: Decider<State, Command, Event>,
) {
  return (...history: readonly Event[]): Spec<Command, Event> => ({
    when: (command) => {
      const decide = () => decider.decide(command, history.reduce(decider.evolve, decider.initialState()));
      return {
        thenEvents: (...events) => expect(decide()).toEqual(events),
        thenTypes: (...types) => expect(decide().map(({ type }) => type)).toEqual(types),
        thenRefused: (code) => expect(codeOf(decide)).toBe(code),
        events: decide,
      };
    },
  });
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "nothing was refused";
}
