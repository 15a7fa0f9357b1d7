import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { ModelUse } from "../../ports/assistant-check.ts";

/**
 * So many answered calls of one model in a row with the end `assistant_error` make its assistants unavailable
 * (docs/api.md §5, pauseReason).
 */
const ERRORS_IN_A_ROW = 5;

/**
 * What this process knows about the owners' assistants, by the model they use. Unavailable ones are
 * probed (assistant-probe).
 */
export type AssistantHealth = {
  readonly unavailable: (use: ModelUse) => boolean;
  readonly allUnavailable: () => readonly ModelUse[];
  /** Whether a call of this owner has failed for that reason since its last good call. */
  readonly anyFailed: (owner: string) => boolean;
  /** Records how an answered call ended. Once unavailable, only `sawWell` ends that. */
  readonly sawEnd: (use: ModelUse, failed: boolean) => void;
  /**
   * For a campaign that was paused because they were unavailable and is taken over: a probe must succeed
   * before anybody is dialled.
   */
  readonly assumeUnavailable: (use: ModelUse) => void;
  readonly sawWell: (use: ModelUse) => void;
  /** How often in a row a probe succeeded and the model then failed again without a good call between. */
  readonly relapses: (use: ModelUse) => number;
  /** Calls the listener whenever `unavailable` changes for a model of this owner. */
  readonly onChange: (listener: (owner: OwnerId) => void) => () => void;
};

type Seen = { readonly use: ModelUse; readonly errors: number; readonly foundWell: number };

export function createAssistantHealth(): AssistantHealth {
  const listeners = new Set<(owner: OwnerId) => void>();
  /** Models whose last known result is a failure, or whose probe has succeeded since. */
  const seen = new Map<string, Seen>();
  const isBad = (one: Seen | undefined) => (one?.errors ?? 0) >= ERRORS_IN_A_ROW;
  const isUnavailable = (use: ModelUse) => isBad(seen.get(keyOf(use)));

  const become = (use: ModelUse, change: (before: Seen) => Seen | null) => {
    const key = keyOf(use);
    const before = isUnavailable(use);
    const next = change(seen.get(key) ?? { use, errors: 0, foundWell: 0 });
    if (next === null) seen.delete(key);
    else seen.set(key, next);
    if (before === isUnavailable(use)) return;
    for (const listener of listeners) listener(use.owner);
  };

  return {
    unavailable: isUnavailable,
    allUnavailable: () => [...seen.values()].filter(isBad).map(({ use }) => use),
    anyFailed: (owner) => [...seen.values()].some(({ use }) => use.owner === owner),
    sawEnd: (use, failed) => {
      if (isUnavailable(use)) return;
      become(use, (before) => (failed ? { ...before, errors: before.errors + 1 } : null));
    },
    assumeUnavailable: (use) => become(use, (before) => ({ ...before, errors: ERRORS_IN_A_ROW })),
    sawWell: (use) => become(use, (before) => ({ ...before, errors: 0, foundWell: before.foundWell + 1 })),
    relapses: (use) => seen.get(keyOf(use))?.foundWell ?? 0,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function keyOf({ owner, connectionId, model }: ModelUse): string {
  return JSON.stringify([owner, connectionId, model]);
}
