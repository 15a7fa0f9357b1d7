import { chunkRevisionOf, idOf } from "../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../domain/campaign/contacts/contact-table.ts";
import type { CampaignPins, CampaignState } from "../../domain/campaign/state.ts";
import type { TextValues } from "../../domain/campaign/texts/personalisation.ts";
import type { CampaignId, ConnectionId } from "../../domain/shared/ids.ts";
import type { PinnedCall } from "../call/pinning/call-request.ts";
import { type Pinned, pinAssistant, pinPhoneNumber } from "../call/pinning/pin-configuration.ts";
import {
  placeSingleCall,
  type SingleCallAnswer,
  type SingleCallDeps,
  type SingleCallRequest,
} from "../call/single-call.ts";
import { campaignStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, refused } from "../outcome.ts";
import { isContactId } from "../parse-id.ts";
import type { NumberEntry } from "../ports/directory.ts";
import type { CampaignConversations } from "./campaign-conversation.ts";
import { personalCall } from "./personal-call.ts";
import type { ContactTexts } from "./runner/contact-texts.ts";

export type TestCallRequest = SingleCallRequest & {
  readonly campaignId: CampaignId;
  /** Any text that the caller sent; null: the first contact. */
  readonly contactId: string | null;
};

export type TestCallDeps = SingleCallDeps & {
  readonly texts: ContactTexts;
  readonly conversations: CampaignConversations;
};

/**
 * POST /campaigns/:id/test-call: a single call with the campaign's texts for one of its contacts, by the
 * assistant version that the campaign pinned. The campaign does not know of it. Refused as the outbound
 * start; CAMPAIGN_NOT_FOUND, CONTACT_NOT_FOUND.
 */
export function startTestCall(
  deps: TestCallDeps,
  caller: Caller,
  request: TestCallRequest,
): Promise<Outcome<SingleCallAnswer>> {
  return placeSingleCall(deps, caller, request, () => pinCall(deps, caller, request));
}

async function pinCall(
  deps: TestCallDeps,
  { owner }: Caller,
  { campaignId, contactId }: TestCallRequest,
): Promise<Pinned<PinnedCall>> {
  const campaign = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    (state) => ({ pins: state.pins, contact: placeOf(state, contactId) }),
    { fresh: true },
  );
  const { pins, contact } = campaign;
  if (pins === null || pins.owner !== owner) return refused("CAMPAIGN_NOT_FOUND", "Campaign not found");
  if (contact === null) {
    const message = "Contact not found";
    return refused("CONTACT_NOT_FOUND", message, [{ path: ["contactId"], message }]);
  }
  const number = await usableNumber(deps, pins);
  if (!number.ok) return number;
  const known = await deps.texts(campaignId, contact.chunkRevision, contact.contactId);
  const values = { name: known?.name ?? null, customData: known?.customData ?? {} };
  const { connectionId } = number.value;
  return callWith(pins, connectionId, await deps.conversations(pins), values);
}

/** The contact with that id, or the first one, which every campaign has; null: no contact has that id. */
function placeOf({ contacts }: CampaignState, contactId: string | null) {
  const row = contactId === null ? 0 : isContactId(contactId) ? rowOf(contacts, contactId) : undefined;
  const id = row === undefined ? undefined : idOf(contacts, row);
  return id === undefined || row === undefined
    ? null
    : { contactId: id, chunkRevision: chunkRevisionOf(contacts, row) };
}

/** The campaign's assistant and number must be usable now, although the pinned versions are used. */
async function usableNumber(
  { directory }: TestCallDeps,
  pins: CampaignPins,
): Promise<Pinned<Pick<NumberEntry, "connectionId">>> {
  const assistant = await pinAssistant(directory, pins.owner, pins.assistant.assistantId);
  if (!assistant.ok) return assistant;
  return pinPhoneNumber(directory, pins.owner, pins.phoneNumberId);
}

function callWith(
  pins: CampaignPins,
  connectionId: ConnectionId | null,
  pinned: string | null,
  values: TextValues,
): Pinned<PinnedCall> {
  const { call, tooLong } = personalCall(pins, { connectionId, pinned }, values);
  if (tooLong === null) return { ok: true, value: call };
  const { name, limit } = tooLong;
  const message = `${name} is longer than ${limit} bytes when it is filled for this contact`;
  return refused("VALIDATION_ERROR", message, [{ path: ["contactId"], message }]);
}
