import type { RejectedContacts } from "../../domain/campaign/events.ts";
import { againstAdding } from "../../domain/campaign/importing.ts";
import { existing } from "../../domain/campaign/state.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import { campaignStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, type Refusal, refused } from "../outcome.ts";
import type { Position } from "../ports/event-store.ts";
import { refusedByRule } from "../refused-by-rule.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { NO_ASSISTANT, textsOf } from "./campaign-texts.ts";
import { importContacts } from "./contact-import.ts";
import { nobodyToCall } from "./create-campaign.ts";
import { judgeWarnings, screenAndJudge } from "./judge-warnings.ts";
import { acceptedContacts, type DuplicateContacts, type ScreeningRequest } from "./screen-contacts.ts";

export type AddContactsRequest = ScreeningRequest & {
  /**
   * The id of the Idempotency-Key row; null without a key. An import that is sealed already
   * gets its answer again.
   */
  readonly reservedImportId: ImportId | null;
};

export type ContactsAddedAnswer = {
  readonly added: number;
  readonly rejectedContacts: RejectedContacts;
  readonly duplicateContacts: DuplicateContacts;
  /** Judged over the added contacts. */
  readonly warnings: readonly CampaignWarning[];
};

/**
 * POST /campaigns/:id/contacts, as create. The state and the limit of 10,000 are checked first,
 * and again at the seal.
 */
export async function addContacts(
  deps: UseCaseDeps,
  caller: Caller,
  campaignId: CampaignId,
  request: AddContactsRequest,
): Promise<Outcome<ContactsAddedAnswer>> {
  const campaign = await campaignOf(deps, caller, campaignId);
  const texts = campaign?.pins ?? textsOf(SAYS_NOTHING, NO_ASSISTANT);
  const { screened, judged } = await screenAndJudge(deps, request, texts);
  const added = screened.accepted;
  const value = {
    added,
    rejectedContacts: screened.rejected,
    duplicateContacts: screened.duplicates,
    warnings: campaign === null ? [] : await judgeWarnings(deps, caller.owner, campaign, judged),
  };
  const importId = request.reservedImportId ?? deps.ids.next("imp");
  const verdict = await judgeSeal(deps, caller, campaignId, importId, added);
  if (verdict.kind === "refused") return verdict;
  if (verdict.kind === "sealed") return { ok: true, value, position: verdict.position };
  if (added === 0) return nobodyToCall();
  const origin = { ...caller, causationId: null };
  const seal = {
    type: "AddContacts",
    importId,
    added,
    rejected: screened.rejected,
    now: deps.clock.now(),
  } as const;
  try {
    const contacts = acceptedContacts(deps, request, screened);
    const position = await importContacts(deps, { campaignId, importId, contacts, seal }, origin);
    return { ok: true, value, position };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const abandon = { type: "AbandonImport", importId, now: deps.clock.now() } as const;
    await deps.aggregates.campaigns.handle(campaignStream(campaignId), [abandon], origin);
    return refusedByRule(error);
  }
}

/**
 * The campaign's pinned texts. For another owner's campaign every text fits, so that nothing
 * about it can be learned.
 */
function campaignOf(deps: UseCaseDeps, caller: Caller, campaignId: CampaignId) {
  return deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ pins, settings, defaulted }) =>
      pins?.owner !== caller.owner || settings === null ? null : { pins, settings, defaulted },
    { fresh: true },
  );
}

const SAYS_NOTHING = { greetingMessage: null, specialInstructions: null };

type SealVerdict =
  | { readonly kind: "open" }
  | { readonly kind: "sealed"; readonly position: Position }
  | { readonly kind: "refused"; readonly ok: false; readonly refusal: Refusal };

/** The rules of the seal, checked before anything is stored. */
function judgeSeal(
  deps: UseCaseDeps,
  caller: Caller,
  campaignId: CampaignId,
  importId: ImportId,
  added: number,
): Promise<SealVerdict> {
  return deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    (state, { position }) => {
      if (state.owner !== caller.owner) {
        return { kind: "refused", ...refused("CAMPAIGN_NOT_FOUND", "Campaign not found") };
      }
      if (state.closedImports.has(importId)) return { kind: "sealed", position };
      const refusal = againstAdding(existing(state), added);
      return refusal === null ? { kind: "open" } : { kind: "refused", ...refusedByRule(refusal) };
    },
    { fresh: true },
  );
}
