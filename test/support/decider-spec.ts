import { expect } from "vitest";
import type { Decider } from "../../domain/shared/decider.ts";
import { DomainError } from "../../domain/shared/errors.ts";

/** Given events, when a command, then its result. */
export type Spec<Command, Event> = {
  readonly when: (command: Command) => {
    readonly thenEvents: (...events: readonly Event[]) => void;
    readonly thenTypes: (...types: readonly string[]) => void;
    /** With these details (none by default), and with a message for people. */
    readonly thenRefused: (code: string, details?: Readonly<Record<string, unknown>>) => void;
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
        thenRefused: (code, details = {}) =>
          expect(refusalOf(decide)).toEqual({ code, details, message: expect.stringMatching(/./) }),
        events: decide,
      };
    },
  });
}

function refusalOf(work: () => unknown): Pick<DomainError, "code" | "details" | "message"> | null {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, details, message } = error;
    return { code, details, message };
  }
  return null;
}
