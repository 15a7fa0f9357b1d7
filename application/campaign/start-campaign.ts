import { chunkRevisions, contactsByZone } from "../../domain/campaign/contacts/contact-table.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { createPlaceholderCheck } from "../../domain/campaign/texts/placeholder-check.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { CampaignCommandDeps } from "./campaign-commands.ts";
import { judgeWarnings } from "./judge-warnings.ts";

export type CampaignStartedAnswer = { readonly warnings: readonly CampaignWarning[] };

/** Warnings are judged before the start: after it, the first calls have reserved credits. */
export async function startCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
): Promise<Outcome<CampaignStartedAnswer>> {
  const warnings = await warningsOf(deps, caller, campaignId);
  const started = await deps.runners.execute(
    campaignId,
    { type: "StartCampaign" },
    { ...caller, causationId: null },
  );
  return started.ok ? { ...started, value: { warnings } } : started;
}

/**
 * Over all contacts of the campaign, whose texts are in the log. For another owner's
 * campaign it returns nothing.
 */
async function warningsOf(
  deps: CampaignCommandDeps,
  { owner }: Caller,
  campaignId: CampaignId,
): Promise<readonly CampaignWarning[]> {
  const campaign = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    (state) => snapshot(state, owner),
    { fresh: true },
  );
  if (campaign === null) return [];
  const check = createPlaceholderCheck(campaign.texts);
  for (const revision of check.readsContacts ? campaign.chunks : []) {
    for (const contact of (await deps.importedChunks(campaignId, revision)).values()) check.look(contact);
  }
  return judgeWarnings(deps, owner, campaign, {
    zones: campaign.zones,
    placeholders: check.found(),
    badCharacters: 0,
  });
}

/** null: the owner has no such campaign (yet). */
function snapshot({ pins, settings, defaulted, contacts }: CampaignState, owner: OwnerId) {
  if (pins?.owner !== owner || settings === null) return null;
  const [zones, chunks] = [contactsByZone(contacts), chunkRevisions(contacts)];
  return { texts: pins, settings, defaulted, zones, chunks };
}
