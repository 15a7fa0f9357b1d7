import type { PinnedSquad } from "../../domain/call/pinned.ts";
import type { CampaignPins } from "../../domain/campaign/state.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { type PinDeps, pinConversation } from "../call/pinning/pin-conversation.ts";
import type { Speaker, SpeakerLink } from "../call/pinning/speakers.ts";
import { createRecentMap } from "../recent-map.ts";

/**
 * Key of the pinned conversation of a campaign's calls; null: a pinned assistant does not exist any more, or
 * its tools are too large together.
 */
export type CampaignConversations = (pins: CampaignPins) => Promise<string | null>;

/** The most older campaigns (without a pinned conversation) that are cached. */
const KEPT = 200;

/**
 * A campaign pins its conversation when it is created. An older one does it at its first dial, from the
 * versions that it pinned; the result is cached by campaign.
 */
export function createCampaignConversations(deps: PinDeps): CampaignConversations {
  const asked = createRecentMap<CampaignId, Promise<string | null>>(KEPT);
  return (pins) => {
    if (pins.pinned !== undefined) return Promise.resolve(pins.pinned);
    const known = asked.get(pins.campaignId);
    if (known !== undefined) return known;
    const pinned = pinOlder(deps, pins);
    asked.set(pins.campaignId, pinned);
    pinned.catch(() => asked.delete(pins.campaignId));
    return pinned;
  };
}

async function pinOlder(deps: PinDeps, { owner, assistant, squad }: CampaignPins): Promise<string | null> {
  const members = squad?.members ?? [{ ...assistant, memberId: null }];
  const isFirst = (each: { readonly assistantId: string }) => each.assistantId === assistant.assistantId;
  const speakers: Speaker[] = [];
  for (const member of [...members.filter(isFirst), ...members.filter((each) => !isFirst(each))]) {
    const { assistantId, assistantVersion, memberId } = member;
    const version = await deps.directory.assistantVersion(owner, assistantId, assistantVersion);
    if (version === null) return null;
    const links = squad === null ? [] : linksOf(squad, assistantId);
    speakers.push({ memberId, assistant: version, links });
  }
  const line = squad === null ? null : { squadId: squad.squadId, name: "" };
  return pinConversation(deps, owner, { squad: line, speakers });
}

/** Such a campaign knows only the target of a handoff and its message. */
function linksOf({ members, handoffs }: PinnedSquad, assistantId: string): readonly SpeakerLink[] {
  const memberOf = new Map(members.map((member) => [member.assistantId, member]));
  return handoffs.flatMap(({ fromAssistantId, toAssistantId, toolName, message }) => {
    const to = memberOf.get(toAssistantId);
    if (fromAssistantId !== assistantId || to === undefined) return [];
    return [
      {
        toMemberId: to.memberId,
        toolName,
        description: `Hands the call over to ${to.name}`,
        message,
        contextMode: "all" as const,
        contextMaxMessages: null,
        variables: [],
      },
    ];
  });
}
