import type { DomainEvent } from "../../domain/events.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import {
  type AppendResult,
  type EventMetadata,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  isEventStoreFailure,
  type StreamName,
} from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";

/** Who made the events, and because of what. */
export type EventOrigin = {
  readonly owner: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Of a campaign's call: names the campaign in the metadata, by which its events are found. */
  readonly campaignId?: string;
};

export type AppendDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
};

/** Waits between tries of one append whose outcome is unknown, in ms; about 6 s in all where a try fails at once. */
const RETRY_DELAYS = [20, 50, 100, 250, 500, 1_000, 2_000, 2_000];
/** A log that takes its time to say that it is away is not asked again after this: somebody waits for the answer. */
const RETRY_FOR_MILLIS = 10_000;

/**
 * Gives each event its id: drawn here, once per decision (docs/architecture.md §2). Events share their metadata, so that it is checked and written out
 * once for all of them.
 */
export function prepareEvents(
  deps: Pick<AppendDeps, "codec" | "ids">,
  events: readonly DomainEvent[],
  origin: EventOrigin,
): readonly EventToAppend[] {
  // Named one by one: whoever asks may know more of itself than what belongs into the log.
  const { owner, actor, correlationId, causationId, campaignId } = origin;
  const ofCampaign = campaignId === undefined ? {} : { campaignId };
  let metadata: EventMetadata | undefined;
  return events.map((event) => {
    const { type, data, schemaVersion } = deps.codec.encode(event);
    if (metadata?.schemaVersion !== schemaVersion) {
      metadata = { owner, actor, correlationId, causationId, schemaVersion, ...ofCampaign };
    }
    return { id: deps.ids.uuid(), type, data, metadata };
  });
}

/**
 * Appends, and while the outcome is unknown repeats the very same append (same ids: written once). Rejects with the log's own failures;
 * after `unavailable` nobody knows whether it was written, and what was folded must be forgotten.
 */
export async function appendSurely(
  deps: AppendDeps,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const types = new Set(events.map((event) => event.type));
  for (const type of types) {
    const dies = deps.crashPoints.reached(`before append ${type}`);
    if (dies !== undefined) await dies;
  }
  const result = await appendAgain(deps, stream, expected, events);
  for (const type of types) {
    const dies = deps.crashPoints.reached(`after append ${type}`);
    if (dies !== undefined) await dies;
  }
  return result;
}

async function appendAgain(
  deps: AppendDeps,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const until = deps.clock.monotonicMillis() + RETRY_FOR_MILLIS;
  for (const delay of RETRY_DELAYS) {
    try {
      return await deps.eventStore.append(stream, expected, events);
    } catch (error) {
      const again = isEventStoreFailure(error, "unavailable") && deps.clock.monotonicMillis() < until;
      if (!again) throw error;
      await deps.clock.sleep(delay);
    }
  }
  return deps.eventStore.append(stream, expected, events);
}
