import { DomainError } from "../shared/errors.ts";
import type { CampaignCommandOf } from "./commands.ts";
import { contactCount } from "./contact-table.ts";
import type { CampaignEvent } from "./events.ts";
import { existing } from "./existing.ts";
import { invalidState } from "./lifecycle.ts";
import type { CampaignState } from "./state.ts";

/** Contacts per campaign (seed). */
export const MAX_CONTACTS = 10_000;

/** A chunk is stored once: a repeat changes nothing, nor does a chunk of an import that is closed. */
export function importContacts(
  { campaignId, importId, firstIndex, contacts, now }: CampaignCommandOf<"ImportContacts">,
  state: CampaignState,
): readonly CampaignEvent[] {
  const stored = state.openImports.get(importId)?.contacts.length ?? 0;
  if (state.closedImports.has(importId) || firstIndex < stored) return [];
  if (firstIndex > stored)
    throw new DomainError("campaign.import-incomplete", "A chunk of the import is missing", {
      importId,
      stored,
      firstIndex,
    });
  return [{ type: "ContactsImported", data: { campaignId, importId, firstIndex, contacts, at: now } }];
}

export function create(
  { campaign }: CampaignCommandOf<"CreateCampaign">,
  state: CampaignState,
): readonly CampaignEvent[] {
  if (state.status !== null) return [];
  requireWhole(state, campaign.importId, campaign.totalContacts);
  requireRoom(state, campaign.totalContacts);
  return [{ type: "CampaignCreated", data: campaign }];
}

export function addContacts(
  { importId, added, rejected, now }: CampaignCommandOf<"AddContacts">,
  state: CampaignState,
): readonly CampaignEvent[] {
  const { campaignId } = existing(state);
  if (state.closedImports.has(importId)) return [];
  requireOpenFor(state, added);
  requireWhole(state, importId, added);
  return [{ type: "ContactsAdded", data: { campaignId, importId, added, rejected, at: now } }];
}

export function abandonImport(
  { importId, now }: CampaignCommandOf<"AbandonImport">,
  state: CampaignState,
): readonly CampaignEvent[] {
  const open = state.openImports.get(importId);
  const campaignId = state.campaignId ?? state.importingCampaignId;
  return open === undefined || campaignId === null
    ? []
    : [{ type: "ImportAbandoned", data: { campaignId, importId, at: now } }];
}

function requireWhole(
  state: CampaignState,
  importId: CampaignCommandOf<"AddContacts">["importId"],
  expected: number,
): void {
  const stored = state.openImports.get(importId)?.contacts.length ?? 0;
  if (stored !== expected)
    throw new DomainError("campaign.import-incomplete", "A chunk of the import is missing", {
      importId,
      stored,
      expected,
    });
}

/** The rules of a seal that can be checked before anything is stored. */
export function requireOpenFor(state: CampaignState, added: number): void {
  const { status } = existing(state);
  if (status === "COMPLETED" || status === "CANCELLED") throw invalidState(status);
  requireRoom(state, added);
}

/** Checked at the seal: two imports at once may exceed the limit together. */
function requireRoom(state: CampaignState, added: number): void {
  const total = contactCount(state.contacts) + added;
  if (total > MAX_CONTACTS)
    throw new DomainError("campaign.too-many-contacts", `A campaign holds at most ${MAX_CONTACTS} contacts`, {
      total,
    });
}
