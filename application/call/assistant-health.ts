import type { DomainEvent } from "../../domain/events.ts";

/** Answered calls of an owner in a row that ended `assistant_error`, after which its assistants count as unavailable (docs/api.md §5, pauseReason). */
const ERRORS_IN_A_ROW = 5;

/** What this process has seen of the owners' assistants. They are asked again each 10 s while they are unavailable (assistant-probe). */
export type AssistantHealth = {
  readonly unavailable: (owner: string) => boolean;
  readonly unavailableOwners: () => readonly string[];
  /** The end of a call of that owner; anything else is passed over. Once unavailable, only `sawWell` ends it. */
  readonly hear: (owner: string, event: DomainEvent) => void;
  /** A campaign that is taken over says that they were: they must be found well before anybody is dialled. */
  readonly assumeUnavailable: (owner: string) => void;
  readonly sawWell: (owner: string) => void;
  /** Calls the listener whenever `unavailable` changes for an owner. */
  readonly onChange: (listener: (owner: string) => void) => () => void;
};

export function createAssistantHealth(): AssistantHealth {
  const listeners = new Set<(owner: string) => void>();
  /** Owners whose last answered call ended so, with how many did in a row. */
  const errors = new Map<string, number>();
  const isUnavailable = (owner: string) => (errors.get(owner) ?? 0) >= ERRORS_IN_A_ROW;

  const become = (owner: string, count: number) => {
    const before = isUnavailable(owner);
    if (count === 0) errors.delete(owner);
    else errors.set(owner, count);
    if (before === isUnavailable(owner)) return;
    for (const listener of listeners) listener(owner);
  };

  return {
    unavailable: isUnavailable,
    unavailableOwners: () => [...errors.keys()].filter(isUnavailable),
    hear: (owner, event) => {
      if (event.type !== "CallCompleted" && event.type !== "CallFailed") return;
      const { endReason, durationSeconds } = event.data;
      if (durationSeconds === null || isUnavailable(owner)) return;
      become(owner, endReason === "assistant_error" ? (errors.get(owner) ?? 0) + 1 : 0);
    },
    assumeUnavailable: (owner) => become(owner, ERRORS_IN_A_ROW),
    sawWell: (owner) => become(owner, 0),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
