import { policyStream } from "../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { isEventStoreFailure, type StoredEvent } from "../../application/ports/event-store.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { Heard } from "../../application/ports/queries.ts";
import type { PolicyVersionRecord } from "../../contract/policy.ts";
import type { PolicyChanged } from "../../domain/policy/events.ts";
import { inFull } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { withActorNames } from "./actor-names.ts";
import { historyRecord } from "./history-record.ts";
import type { LogDeps } from "./stream-history.ts";

const AT_ONCE = 100;

/** The version that was in force at that time; null: none. Read from the log, so it is never behind. */
export async function policyAt(
  deps: LogDeps,
  owner: OwnerId,
  at: Instant | null,
  heard?: Heard,
): Promise<PolicyVersionRecord | null> {
  for (let before: number | null = null; ; ) {
    const events = await newestFirst(deps, owner, before, at === null ? 1 : AT_ONCE);
    const versions = await versionsOf(deps, events);
    const found = versions.find(({ changedAt }) => at === null || changedAt <= at);
    if (found !== undefined) {
      const event = events.find(({ revision }) => revision === found.version - 1);
      if (event !== undefined) heard?.(event.position);
      return found;
    }
    const last = events.at(-1);
    if (last === undefined) return null;
    before = last.revision + 1;
  }
}

/** The event by which the policy was as it was at that time; null: there was none. */
export async function policyChangeAt(
  deps: LogDeps,
  owner: OwnerId,
  at: Instant,
): Promise<RecordedEvent<PolicyChanged> | null> {
  for (let before: number | null = null; ; ) {
    const events = await newestFirst(deps, owner, before, AT_ONCE);
    for (const decoded of await deps.codec.decode(events)) {
      if (decoded.kind !== "event") continue;
      const { event } = decoded.recorded;
      if (event.type === "PolicyChanged" && event.data.at <= at) return { ...decoded.recorded, event };
    }
    const last = events.at(-1);
    if (last === undefined) return null;
    before = last.revision + 1;
  }
}

/** Newest first; `after` is the version that the page before ended with. */
export async function policyVersions(
  deps: LogDeps,
  owner: OwnerId,
  { limit, after }: PageRequest<number>,
): Promise<Page<PolicyVersionRecord, number>> {
  const events = await newestFirst(deps, owner, after, limit + 1);
  return pageOf(await versionsOf(deps, events), limit, ({ version }) => version);
}

/** Each event is a version, the first is 1: those before the version `before`, null: all. */
async function newestFirst(
  { eventStore }: LogDeps,
  owner: OwnerId,
  before: number | null,
  max: number,
): Promise<readonly StoredEvent[]> {
  if (before !== null && before <= 1) return [];
  const from = before === null ? {} : { from: before - 2 };
  try {
    return await eventStore.read(policyStream(owner), { ...from, direction: "backward", max });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return [];
    throw error;
  }
}

async function versionsOf(
  deps: LogDeps,
  events: readonly StoredEvent[],
): Promise<readonly PolicyVersionRecord[]> {
  const decoded = await deps.codec.decode(events);
  const told = await withActorNames(deps, events.map(historyRecord));
  return decoded.flatMap((each, place) => {
    const changedBy = told[place]?.actor;
    if (each.kind !== "event" || each.recorded.event.type !== "PolicyChanged" || changedBy === undefined)
      return [];
    const { version, policy, at: changedAt } = each.recorded.event.data;
    return [{ version, policy: inFull(policy), changedAt, changedBy }];
  });
}
