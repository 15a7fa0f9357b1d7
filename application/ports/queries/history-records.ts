import type { CallId, CampaignId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { Position } from "../event-store.ts";

/**
 * An event in public form: `data` as stored, but amounts are credits, and ContactsImported has `firstIndex`
 * and `count` instead of its contacts.
 */
export type HistoryRecord = {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly occurredAt: Instant;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly actor: Actor;
};

/**
 * Who caused it: the API key with that id, or a process of the service. `name`: that of the
 * key; absent: not known.
 */
export type Actor = { readonly kind: "key" | "process"; readonly id: string; readonly name?: string };

export type OwnerEventsFilter = {
  readonly types?: readonly string[];
  /** The id of a call, a campaign or a squad of this owner; an unknown id gives no events. */
  readonly streamOf?: CallId | CampaignId | SquadId;
  /** The campaign's own events, and those of its calls. */
  readonly campaignId?: CampaignId;
};

/**
 * Which events of an owner, and from which end: after `after`, before `before` (absent: the end of the log).
 */
export type OwnerEventsPage = {
  readonly after: Position;
  readonly before?: Position;
  /** Newest first; `next` is then the `before` of the next page. */
  readonly backward?: boolean;
  readonly limit: number;
};
