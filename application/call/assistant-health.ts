import type { DomainEvent } from "../../domain/events.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** Answered calls of an owner in a row that ended `assistant_error`, after which its assistants count as unavailable (docs/api.md §5, pauseReason). */
const ERRORS_IN_A_ROW = 5;

/** What this process has seen of the owners' assistants. They are asked again each 10 s while they are unavailable (assistant-probe). */
export type AssistantHealth = {
  readonly unavailable: (owner: OwnerId) => boolean;
  readonly unavailableOwners: () => readonly OwnerId[];
  /** The end of a call of that owner; anything else is passed over. Once unavailable, only `sawWell` ends it. */
  readonly hear: (owner: OwnerId, event: DomainEvent) => void;
  /** A campaign that is taken over says that they were: they must be found well before anybody is dialled. */
  readonly assumeUnavailable: (owner: OwnerId) => void;
  readonly sawWell: (owner: OwnerId) => void;
  /** Calls the listener whenever `unavailable` changes for an owner. */
  readonly onChange: (listener: (owner: OwnerId) => void) => () => void;
};

export function createAssistantHealth(): AssistantHealth {
  const listeners = new Set<(owner: OwnerId) => void>();
  /** Owners whose last answered call ended so, with how many did in a row. */
  const errors = new Map<OwnerId, number>();
  const isUnavailable = (owner: OwnerId) => (errors.get(owner) ?? 0) >= ERRORS_IN_A_ROW;

  const become = (owner: OwnerId, count: number) => {
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
