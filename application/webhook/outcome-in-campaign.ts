import {
  attemptsOf,
  callbacksOf,
  dueMillisOf,
  notPlacedOf,
  statusOf,
} from "../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../domain/campaign/contacts/contact-table.ts";
import { maxAttempts } from "../../domain/campaign/retry-policy.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { Campaigns } from "../log/aggregates.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { CallFacts } from "./call-facts.ts";
import type { AttemptOutcome } from "./webhook-body.ts";

/**
 * The campaign's decision after this call, from its folded state; null while the call is live there. Needed
 * only when the deciding event was on the feed before a restart. A contact that is already in its next call
 * has had its retry, at a time in the past.
 */
export async function outcomeInCampaign(
  campaigns: Campaigns,
  facts: CallFacts,
): Promise<AttemptOutcome | null> {
  const { campaignId } = facts.request;
  if (campaignId === null) return null;
  return campaigns.query(campaignStream(campaignId), (state) => outcomeIn(state, facts), { fresh: true });
}

function outcomeIn(
  { settings, contacts, live }: CampaignState,
  { request }: CallFacts,
): AttemptOutcome | null {
  const row = request.contactId === null ? undefined : rowOf(contacts, request.contactId);
  if (row === undefined || settings === null || live.has(request.callId)) return null;
  const attempts = attemptsOf(contacts, row);
  const waits = statusOf(contacts, row) === "waiting_retry" && attempts === request.attempt;
  const calledAgain = attempts > request.attempt;
  return {
    maxAttempts: maxAttempts(settings, notPlacedOf(contacts, row) + callbacksOf(contacts, row)),
    isFinalAttempt: !waits && !calledAgain,
    nextAttemptAt: waits ? instantFromMillis(dueMillisOf(contacts, row)) : null,
  };
}
