import type { SuppressionListId } from "../../domain/shared/ids.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { SuppressionListEvent, SuppressionListKind } from "../../domain/suppression/events.ts";
import type { MemoryDirectory } from "../memory/directory.ts";
import type { MemoryLists } from "../memory/suppressions/lists.ts";
import { OWNER } from "./simulated-names.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const DAY_MILLIS = 24 * 3_600_000;

/** The whole of one of the owner's lists, as it is from now on. */
export type ListPut = {
  readonly list: keyof typeof LISTS;
  readonly active: boolean;
  /** How many days old the file is that replaces its numbers; null: they stay as they are. */
  readonly days: number | null;
  readonly numbers: readonly PhoneNumber[];
};

const LISTS = {
  registry: "registry",
  regional: "registry",
  litigators: "litigators",
} as const satisfies Record<string, SuppressionListKind>;

/** Times since the beginning. A number was on an active list from the one until the other. */
export type OnList = { readonly phoneNumber: PhoneNumber; readonly from: number; until: number };
/** From then on the oldest active registry list was of `day` (epoch milliseconds); null: none counts. */
export type OldestDay = { readonly at: number; readonly day: number | null };

/** Lists of numbers in the settings of the simulated owner, and what they were at every moment. */
export type SimulatedLists = {
  readonly put: (put: ListPut) => void;
  readonly spans: readonly OnList[];
  readonly oldest: readonly OldestDay[];
  /** Ids of the events that tell the log of each change. */
  readonly told: readonly string[];
};

type Kept = { active: boolean; day: number | null; numbers: readonly PhoneNumber[] };

export function createSimulatedLists(
  clock: VirtualClock,
  directory: Pick<MemoryDirectory, "setListed">,
  lists: Pick<MemoryLists, "set">,
): SimulatedLists {
  const kept = new Map<ListPut["list"], Kept>();
  const spans: OnList[] = [];
  const oldest: OldestDay[] = [];
  const told: string[] = [];
  const open = new Map<ListPut["list"], OnList[]>();

  const oldestDay = () => {
    const registries = [...kept].filter(([list, { active }]) => LISTS[list] === "registry" && active);
    const days = registries.map(([, { day }]) => day);
    const known = days.filter((day) => day !== null);
    return known.length === 0 || known.length < days.length ? null : Math.min(...known);
  };

  const tell = (event: SuppressionListEvent): void => {
    const eventId = `00000000-0000-4000-9000-${String(told.length).padStart(12, "0")}`;
    const day = oldestDay();
    const oldestAsOf = day === null ? null : plusMillis(clock.now(), day - clock.nowMillis());
    told.push(eventId);
    oldest.push({ at: clock.elapsed(), day });
    lists.set(OWNER, { oldestAsOf, isBehind: false }, { eventId, actor: "key_sim", event });
  };

  return {
    spans,
    oldest,
    told,
    put: ({ list, active, days, numbers }) => {
      const before = kept.get(list);
      const after: Kept = { active: false, day: null, numbers: [], ...before };
      kept.set(list, after);
      const base = {
        ...{ owner: OWNER, listId: `spl_${list}` as SuppressionListId, name: list, kind: LISTS[list] },
        at: clock.now(),
      };
      if (days !== null) [after.day, after.numbers] = [clock.nowMillis() - days * DAY_MILLIS, numbers];
      const isChanged = before === undefined || before.active !== active;
      after.active = active;
      for (const span of open.get(list) ?? []) span.until = clock.elapsed();
      const listed = after.active ? after.numbers : [];
      const opened = listed.map((phoneNumber) => ({
        phoneNumber,
        from: clock.elapsed(),
        until: Number.POSITIVE_INFINITY,
      }));
      open.set(list, opened);
      spans.push(...opened);
      directory.setListed(OWNER, { id: base.listId, name: list, kind: base.kind }, listed);
      if (isChanged) tell({ type: "SuppressionListChanged", data: { ...base, active, deleted: false } });
      if (days === null) return;
      const asOf = plusMillis(clock.now(), -days * DAY_MILLIS);
      const file = { count: numbers.length, sha256: "0".repeat(64), asOf };
      tell({ type: "SuppressionListReplaced", data: { ...base, ...file } });
    },
  };
}
