import { DomainError } from "../shared/errors.ts";
import type { CampaignId, ImportId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { contactCount } from "./contacts/contact-table.ts";
import type { CampaignCreated, CampaignEvent, ImportedContact, RejectedContacts } from "./events.ts";
import { invalidState } from "./lifecycle.ts";
import type { CampaignState, ExistingCampaign } from "./state.ts";

/** Contacts per campaign (seed). */
export const MAX_CONTACTS = 10_000;

/** An import may come before its campaign. */
export const importRules = {
  ImportContacts: importContacts,
  CreateCampaign: create,
  AbandonImport: abandonImport,
};

type Chunk = {
  readonly campaignId: CampaignId;
  readonly importId: ImportId;
  readonly firstIndex: number;
  readonly contacts: readonly ImportedContact[];
  readonly now: Instant;
};

/**
 * A chunk is stored once: a repeat changes nothing, nor does a chunk of an import that is closed, or of a campaign that was
 * deleted meanwhile (its seal is refused).
 */
function importContacts(
  { campaignId, importId, firstIndex, contacts, now }: Chunk,
  state: CampaignState,
): readonly CampaignEvent[] {
  const stored = state.openImports.get(importId)?.contacts.length ?? 0;
  if (state.isDeleted || state.closedImports.has(importId) || firstIndex < stored) return [];
  if (firstIndex > stored)
    throw new DomainError("campaign.import-incomplete", "A chunk of the import is missing", {
      importId,
      stored,
      firstIndex,
    });
  return [{ type: "ContactsImported", data: { campaignId, importId, firstIndex, contacts, at: now } }];
}

function create(
  { campaign }: { readonly campaign: CampaignCreated["data"] },
  state: CampaignState,
): readonly CampaignEvent[] {
  if (state.status !== null || state.isDeleted) return [];
  requireWhole(state, campaign.importId, campaign.totalContacts);
  const refusal = noRoom(state, campaign.totalContacts);
  if (refusal !== null) throw refusal;
  return [{ type: "CampaignCreated", data: campaign }];
}

type Seal = {
  readonly importId: ImportId;
  readonly added: number;
  readonly rejected: RejectedContacts;
  readonly now: Instant;
};

export function addContacts(
  { importId, added, rejected, now }: Seal,
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  if (campaign.closedImports.has(importId)) return [];
  const refusal = againstAdding(campaign, added);
  if (refusal !== null) throw refusal;
  requireWhole(campaign, importId, added);
  const { campaignId } = campaign;
  return [{ type: "ContactsAdded", data: { campaignId, importId, added, rejected, at: now } }];
}

function abandonImport(
  { importId, now }: { readonly importId: ImportId; readonly now: Instant },
  state: CampaignState,
): readonly CampaignEvent[] {
  const open = state.openImports.get(importId);
  const campaignId = state.campaignId ?? state.importingCampaignId;
  return open === undefined || campaignId === null
    ? []
    : [{ type: "ImportAbandoned", data: { campaignId, importId, at: now } }];
}

function requireWhole(state: CampaignState, importId: ImportId, expected: number): void {
  const stored = state.openImports.get(importId)?.contacts.length ?? 0;
  if (stored !== expected)
    throw new DomainError("campaign.import-incomplete", "A chunk of the import is missing", {
      importId,
      stored,
      expected,
    });
}

/** The rules of a seal that can be checked before anything is stored. */
export function againstAdding(campaign: ExistingCampaign, added: number): DomainError | null {
  const { status } = campaign;
  return status === "COMPLETED" || status === "CANCELLED" ? invalidState(status) : noRoom(campaign, added);
}

/** Checked at the seal: two imports at once may exceed the limit together. */
function noRoom(state: CampaignState, added: number): DomainError | null {
  const total = contactCount(state.contacts) + added;
  if (total <= MAX_CONTACTS) return null;
  const message = `A campaign holds at most ${MAX_CONTACTS} contacts`;
  return new DomainError("campaign.too-many-contacts", message, { total });
}
