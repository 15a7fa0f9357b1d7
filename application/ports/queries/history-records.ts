import type { CallId, CampaignId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { Position } from "../event-store.ts";

/** An event in its public form: `data` as stored, but amounts are credits, and ContactsImported tells `firstIndex` and `count` in place of its contacts. */
export type HistoryRecord = {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly occurredAt: Instant;
  readonly correlationId: string;
  readonly causationId: string | null;
};

export type OwnerEventsFilter = {
  readonly types?: readonly string[];
  /** The id of a call, a campaign or a squad of this owner; one that is not: no events. */
  readonly streamOf?: CallId | CampaignId | SquadId;
};
