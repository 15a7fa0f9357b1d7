import type { Clock } from "../../../application/ports/clock.ts";
import { SHOWN_CHANGES, type Suppressions } from "../../../application/ports/configuration/suppressions.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import type { HeardOptOut } from "../../../application/ports/opt-outs.ts";
import type { WebhookOutbox } from "../../../application/ports/webhook-outbox.ts";
import { numberSuppressed } from "../../../application/suppression/listing.ts";
import type { SuppressionChange, SuppressionRecord } from "../../../contract/suppression.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { MemoryDirectory } from "../directory.ts";

type MemoryEntry = SuppressionRecord & { readonly owner: OwnerId; readonly sequence: number };

/** What a call asked for; `by` null: what was said on it cannot be read. */
export type MemoryOptOut = Omit<HeardOptOut, "by"> & {
  readonly by: HeardOptOut["by"] | null;
  readonly recorded: boolean;
  readonly revoked: boolean;
};

/** Everything durable; it outlives the process of a simulated crash. */
export type MemoryListState = {
  /** By owner and number. */
  readonly entries: Map<string, MemoryEntry>;
  /** By owner and number; the newest last. */
  readonly history: Map<string, SuppressionChange[]>;
  readonly optOuts: Map<CallId, MemoryOptOut>;
  changes: number;
};

export function memoryListState(): MemoryListState {
  return { entries: new Map(), history: new Map(), optOuts: new Map(), changes: 0 };
}

export type MemoryListDeps = {
  readonly state: MemoryListState;
  /** Who dials reads the list there. */
  readonly directory: Pick<MemoryDirectory, "suppress" | "unsuppress">;
  readonly outbox: Pick<WebhookOutbox, "enqueue">;
  readonly clock: Clock;
  readonly ids: Ids;
};

export const keyOf = (owner: OwnerId, phoneNumber: PhoneNumber) => `${owner} ${phoneNumber}`;

/**
 * A change of the list, as it is written into the history; `kept`: the reason of the entry, where it differs.
 */
export type MemoryChange = Omit<SuppressionChange, "at"> & {
  readonly owner: OwnerId;
  readonly phoneNumber: PhoneNumber;
  readonly campaignId?: CampaignId | null;
  readonly kept?: string | null;
};

/** Entry, history and webhook at once: nothing is awaited before they are there. */
export async function changeMemoryList(
  { state, directory, outbox, clock, ids }: MemoryListDeps,
  change: MemoryChange,
): Promise<void> {
  const { owner, phoneNumber, campaignId = null, action, reason, source, by, callId } = change;
  const { kept = reason } = change;
  const key = keyOf(owner, phoneNumber);
  const at = clock.now();
  const history = state.history.get(key) ?? [];
  state.history.set(key, [...history, { action, reason, source, by, callId, at }]);
  state.changes += 1;
  if (action === "removed") {
    state.entries.delete(key);
    return directory.unsuppress(owner, phoneNumber);
  }
  const { createdAt = at, sequence = state.changes } = state.entries.get(key) ?? {};
  state.entries.set(key, { owner, phoneNumber, reason: kept, source, callId, createdAt, sequence });
  directory.suppress(owner, phoneNumber);
  const times = 1 + history.filter((each) => each.action !== "removed").length;
  const listing = { owner, phoneNumber, reason: kept, source, callId, campaignId, at, times };
  await outbox.enqueue([numberSuppressed(ids, listing)]);
}

/** The in-memory form of the do-not-call list for tests and the simulation. */
export function memorySuppressions(deps: MemoryListDeps): Suppressions {
  const { state } = deps;
  const add = async (change: Omit<MemoryChange, "action" | "callId">): Promise<boolean> => {
    if (state.entries.has(keyOf(change.owner, change.phoneNumber))) return false;
    await changeMemoryList(deps, { ...change, action: "listed", callId: null });
    return true;
  };
  const entry = (owner: OwnerId, phoneNumber: PhoneNumber): SuppressionRecord | null => {
    const found = state.entries.get(keyOf(owner, phoneNumber));
    return found === undefined ? null : recordOf(found);
  };
  return {
    async add(owner, phoneNumber, reason, by) {
      const created = await add({ owner, phoneNumber, reason, source: "api", by });
      const value = entry(owner, phoneNumber);
      if (value === null) throw new Error(`${phoneNumber} was taken off the list meanwhile`);
      return { created, value };
    },
    async addAll(owner, reasons, by) {
      const added = [...reasons].map(([phoneNumber, reason]) =>
        add({ owner, phoneNumber, reason, source: "import", by }),
      );
      return (await Promise.all(added)).filter((isNew) => isNew).length;
    },
    async list(owner, { limit, after }, phoneNumber) {
      const rows = [...state.entries.values()]
        .filter((each) => each.owner === owner && (after === null || each.sequence < after))
        .filter((each) => phoneNumber === undefined || each.phoneNumber === phoneNumber)
        .toSorted((a, b) => b.sequence - a.sequence);
      const shown = rows.slice(0, limit);
      return {
        rows: shown.map(recordOf),
        next: rows.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
      };
    },
    async get(owner, phoneNumber) {
      const history = state.history.get(keyOf(owner, phoneNumber))?.toReversed().slice(0, SHOWN_CHANGES);
      if (history === undefined) return null;
      const found = entry(owner, phoneNumber);
      if (found !== null) return { ...found, listed: true, history };
      const nothing = { reason: null, source: null, callId: null, createdAt: null };
      return { phoneNumber, listed: false, ...nothing, history };
    },
    async takeOff(owner, phoneNumber, by, revoked) {
      const found = entry(owner, phoneNumber);
      if (found === null) return "not_listed";
      const asked = [...state.optOuts.values()].filter(
        (each) => each.owner === owner && each.phoneNumber === phoneNumber && !each.revoked,
      );
      if (asked.some((each) => each.by !== null && !revoked.includes(each.callId))) return "heard_again";
      for (const optOut of asked) state.optOuts.set(optOut.callId, { ...optOut, revoked: true });
      const { reason, source, callId } = found;
      await changeMemoryList(deps, { owner, phoneNumber, action: "removed", reason, source, by, callId });
      return "taken_off";
    },
  };
}

function recordOf({ phoneNumber, reason, source, callId, createdAt }: MemoryEntry): SuppressionRecord {
  return { phoneNumber, reason, source, callId, createdAt };
}
