import type { ListChange, SuppressionLists } from "../../../application/ports/suppression-lists.ts";
import { type ListStanding, NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { createListeners } from "../listeners.ts";

export type MemoryLists = SuppressionLists & {
  readonly now: (owner: OwnerId) => ListStanding;
  /** Whether the log is known to have every change. */
  readonly isTold: () => boolean;
  /** How the owner's lists stand from now on, and the event that says so, if the log is to know. */
  readonly set: (owner: OwnerId, standing: ListStanding, change?: Omit<ListChange, "sequence">) => void;
};

/** How lists stand, and what the log is to be told, in memory; nothing is ever older than the log. */
export function createMemoryLists(): MemoryLists {
  const standings = new Map<OwnerId, ListStanding>();
  const changes = createListeners<OwnerId>();
  let outbox: readonly ListChange[] = [];
  let sequence = 0;
  const now = (owner: OwnerId) => standings.get(owner) ?? NO_LISTS;
  return {
    set: (owner, standing, change) => {
      standings.set(owner, standing);
      if (change !== undefined) outbox = [...outbox, { ...change, sequence: ++sequence }];
      changes.tell(owner);
    },
    now,
    isTold: () => outbox.length === 0,
    standing: async (owner) => now(owner),
    onChange: changes.add,
    unpublished: async (limit) => outbox.slice(0, limit),
    published: async (told) => {
      outbox = outbox.filter((each) => each.sequence !== told.sequence);
    },
    follow: async () => undefined,
  };
}
