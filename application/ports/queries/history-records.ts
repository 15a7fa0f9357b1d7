import type { CallId, CampaignId, SquadId } from "../../../domain/shared/ids.ts";
import type { Position } from "../event-store.ts";

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
