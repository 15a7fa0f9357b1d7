import type { CallId, CampaignId, OwnerId, SquadId, SuppressionListId } from "../../domain/shared/ids.ts";
import type { StreamName } from "../ports/event-store.ts";

export function callStream(callId: CallId): StreamName {
  return `call-${callId}`;
}

export function campaignStream(campaignId: CampaignId): StreamName {
  return `campaign-${campaignId}`;
}

export function squadStream(squadId: SquadId): StreamName {
  return `squad-${squadId}`;
}

export function policyStream(owner: OwnerId): StreamName {
  return `policy-${owner}`;
}

export function suppressionListStream(listId: SuppressionListId): StreamName {
  return `list-${listId}`;
}
