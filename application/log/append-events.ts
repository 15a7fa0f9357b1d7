import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Clock } from "../ports/clock.ts";
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

/** Who caused the events, and by what. */
export type EventOrigin = {
  readonly owner: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** For a campaign's call: the campaign in the metadata, by which its events are found. */
  readonly campaignId?: string;
};

export type AppendDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly ids: Ids;
  readonly clock: Clock;
};

/**
 * Pauses in ms between tries of an append with unknown outcome; about 6 s in all when each try fails at once.
 */
const RETRY_DELAYS = [20, 50, 100, 250, 500, 1_000, 2_000, 2_000];
/**
 * After this time the append is not tried again, even when each try is slow: somebody waits for the answer.
 */
const RETRY_FOR_MILLIS = 10_000;

/**
 * Gives each event its id and seals its texts for that id, both once for a decision (docs/architecture.md
 * §2), so that a retry writes the same bytes. Events of one origin share their metadata object, which is then
 * checked and serialised once.
 */
export async function prepareEvents(
  deps: Pick<AppendDeps, "codec" | "ids">,
  made: readonly { readonly events: readonly DomainEvent[]; readonly origin: EventOrigin }[],
): Promise<readonly EventToAppend[]> {
  const drawn = made.flatMap(({ events, origin }) =>
    events.map((event) => ({ id: deps.ids.uuid(), event, origin })),
  );
  const encoded = await deps.codec.encode(drawn);
  let metadata: EventMetadata | undefined;
  let last: EventOrigin | undefined;
  return encoded.flatMap(({ type, data, schemaVersion }, index) => {
    const next = drawn[index];
    if (next === undefined) return [];
    if (metadata?.schemaVersion !== schemaVersion || last !== next.origin) {
      metadata = metadataOf(next.origin, schemaVersion);
      last = next.origin;
    }
    return [{ id: next.id, type, data, metadata }];
  });
}

/** Fields are named one by one, because the caller's object may have more than belongs into the log. */
function metadataOf(
  { owner, actor, correlationId, causationId, campaignId }: EventOrigin,
  schemaVersion: number,
): EventMetadata {
  const ofCampaign = campaignId === undefined ? {} : { campaignId };
  return { owner, actor, correlationId, causationId, schemaVersion, ...ofCampaign };
}

/**
 * Appends, and repeats the same append while the outcome is unknown (same ids: written once). Rejects
 * with the log's own failures. After `unavailable` nobody knows whether it was written, so folded
 * state must be dropped.
 */
export async function appendSurely(
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

/** Origin of what a process does to a call by itself; the call is the correlation. */
export function processOrigin(
  process: string,
  owner: OwnerId,
  callId: CallId,
  causationId: string | null = null,
): EventOrigin {
  return { owner, actor: `process:${process}`, correlationId: callId, causationId };
}
