import type { DomainEvent } from "../../domain/events.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { type EventStore, type Position, START } from "../ports/event-store.ts";
import { eventsOfTypes } from "./events-of-types.ts";

/**
 * What the log has of owners that the database does not know; `position`: that of the last of these events.
 */
export type UnknownOwners = {
  readonly owners: number;
  readonly campaigns: number;
  readonly calls: number;
  readonly position: Position;
};

const CAMPAIGN: DomainEvent["type"] = "CampaignCreated";
const CALL: DomainEvent["type"] = "CallRequested";

/**
 * Reads the first events of all campaigns and calls, for a database that is new. null: every owner is known.
 */
export async function unknownOwners(
  eventStore: EventStore,
  known: ReadonlySet<OwnerId>,
): Promise<UnknownOwners | null> {
  const owners = new Set<string>();
  const knownIds: ReadonlySet<string> = known;
  let [campaigns, calls, position] = [0, 0, START];
  for await (const { type, metadata, position: at } of eventsOfTypes(eventStore, [CAMPAIGN, CALL])) {
    if (knownIds.has(metadata.owner)) continue;
    owners.add(metadata.owner);
    if (type === CAMPAIGN) campaigns += 1;
    else calls += 1;
    position = at;
  }
  return owners.size === 0 ? null : { owners: owners.size, campaigns, calls, position };
}
