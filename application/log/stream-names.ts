import type { CallId, CampaignId, SquadId } from "../../domain/shared/ids.ts";
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
