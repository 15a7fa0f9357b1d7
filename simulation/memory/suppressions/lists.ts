import type {
  ListChange,
  ListsStanding,
  SuppressionLists,
} from "../../../application/ports/suppression-lists.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { createListeners } from "../listeners.ts";

export type MemoryLists = SuppressionLists & {
  /** How the owner's lists stand from now on, and the event that says so, if the log is to know. */
  readonly set: (owner: OwnerId, standing: ListsStanding, change?: Omit<ListChange, "sequence">) => void;
};

const NO_LISTS: ListsStanding = { registries: 0, oldestAsOf: null, isBehind: false };

/** How lists stand, and what the log is to be told, in memory; nothing is ever older than the log. */
export function createMemoryLists(): MemoryLists {
  const standings = new Map<OwnerId, ListsStanding>();
  const changes = createListeners<OwnerId>();
  let outbox: readonly ListChange[] = [];
  let sequence = 0;
  return {
    set: (owner, standing, change) => {
      standings.set(owner, standing);
      if (change !== undefined) outbox = [...outbox, { ...change, sequence: ++sequence }];
      changes.tell(owner);
    },
    standing: async (owner) => standings.get(owner) ?? NO_LISTS,
    onChange: changes.add,
    unpublished: async (limit) => outbox.slice(0, limit),
    published: async (told) => {
      outbox = outbox.filter((each) => each.sequence !== told.sequence);
    },
    follow: async () => undefined,
  };
}
