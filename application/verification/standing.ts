import type { PolicyChanged } from "../../domain/policy/events.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import type { SuppressionListId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import type { SuppressionListChanged, SuppressionListReplaced } from "../../domain/suppression/events.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import { type Hours, hoursOf, type Period } from "./zone-clock.ts";

/** A policy as it is judged by. */
export type Judged = {
  readonly policy: Policy;
  readonly hours: Hours | null;
  /** A month before a week before a day: the one that ends last is told. */
  readonly caps: readonly (readonly [period: Period, most: number])[];
  /** 0: it is no version of an owner's. */
  readonly version: number;
};

export function judgedBy(policy: Policy, version: number): Judged {
  const { callableHours, attemptsPerNumber } = policy;
  const caps = (["month", "week", "day"] as const).flatMap((period) => {
    const most = attemptsPerNumber?.[period];
    return most === undefined ? [] : [[period, most] as const];
  });
  return { policy, hours: callableHours === null ? null : hoursOf(callableHours), caps, version };
}

/** What stood of an owner at a time: the latest entry at or before it. */
type Standing<Value> = { readonly at: number; readonly value: Value };

/** Active registry lists; `oldest`: when the oldest was of, -Infinity: one has no numbers yet. */
export type Registries = { readonly count: number; readonly oldest: number };
const NO_REGISTRIES: Registries = { count: 0, oldest: Number.POSITIVE_INFINITY };

type KnownList = { readonly isActive: boolean; readonly asOf: number };

/** Versions of policies and the age of registry lists, by owner and time, as the log tells them. */
export type OwnerStandings = ReturnType<typeof createStandings>;

export function createStandings() {
  const versions = new Map<string, Standing<Judged>[]>();
  const registries = new Map<string, Standing<Registries>[]>();
  const lists = new Map<string, Map<SuppressionListId, KnownList>>();

  const readList = (owner: string, { data }: SuppressionListChanged | SuppressionListReplaced): void => {
    if (data.kind !== "registry") return;
    const known = lists.get(owner) ?? new Map<SuppressionListId, KnownList>();
    lists.set(owner, known);
    const { isActive, asOf } = known.get(data.listId) ?? {
      isActive: true,
      asOf: Number.NEGATIVE_INFINITY,
    };
    if ("asOf" in data) known.set(data.listId, { isActive, asOf: millisOf(data.asOf) });
    else known.set(data.listId, { isActive: data.active && !data.deleted, asOf });
    const active = [...known.values()].filter((list) => list.isActive).map((list) => list.asOf);
    push(registries, owner, millisOf(data.at), {
      count: active.length,
      oldest: Math.min(Number.POSITIVE_INFINITY, ...active),
    });
  };

  return {
    read: (event: StoredEvent): void => {
      const { owner } = event.metadata;
      const told = event as unknown as PolicyChanged | SuppressionListChanged | SuppressionListReplaced;
      if (told.type === "PolicyChanged") {
        const { at, policy, version } = told.data;
        push(versions, owner, millisOf(at), judgedBy(policy, version));
      } else if (told.type === "SuppressionListChanged" || told.type === "SuppressionListReplaced")
        readList(owner, told);
    },
    /** Versions that were in force at some moment of this time; null: there was none yet. */
    versionsIn: (owner: string, from: number, until: number) =>
      standingIn(versions.get(owner), from, until, null),
    registriesIn: (owner: string, from: number, until: number) =>
      standingIn(registries.get(owner), from, until, NO_REGISTRIES),
    versionOf: (owner: string, version: number): Judged | undefined =>
      (versions.get(owner) ?? []).find(({ value }) => value.version === version)?.value,
  };
}

/** Times never decrease, whatever clocks say. */
function push<Value>(all: Map<string, Standing<Value>[]>, owner: string, at: number, value: Value): void {
  const known = all.get(owner) ?? [];
  all.set(owner, known);
  known.push({ at: Math.max(at, known.at(-1)?.at ?? at), value });
}

function standingIn<Value, Before>(
  all: readonly Standing<Value>[] | undefined,
  from: number,
  until: number,
  before: Before,
): readonly (Value | Before)[] {
  if (all === undefined) return [before];
  const first = placeOf(all, from);
  const found: (Value | Before)[] = [first < 0 ? before : valueAt(all, first)];
  for (let index = first + 1; index <= placeOf(all, until); index += 1) found.push(valueAt(all, index));
  return found;
}

function valueAt<Value>(all: readonly Standing<Value>[], index: number): Value {
  const entry = all[index];
  if (entry === undefined) throw new RangeError(`there is no entry ${index}`);
  return entry.value;
}

/** The last entry at or before a time; -1: there is none. */
function placeOf(all: readonly Standing<unknown>[], millis: number): number {
  let [low, high] = [-1, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.at ?? 0) <= millis) low = middle;
    else high = middle - 1;
  }
  return low;
}
