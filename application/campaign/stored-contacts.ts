import {
  chunkRevisionOf,
  hasConsent,
  idOf,
  numberOf,
  statusOf,
} from "../../domain/campaign/contacts/contact-row.ts";
import {
  type ContactTable,
  chunkRevisions,
  contactCount,
  contactsByGroup,
} from "../../domain/campaign/contacts/contact-table.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { type CampaignTexts, createTextCheck } from "../../domain/campaign/texts/personalisation.ts";
import { createPlaceholderCheck } from "../../domain/campaign/texts/placeholder-check.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Caller } from "../outcome.ts";
import type { CampaignCommandDeps } from "./campaign-commands.ts";
import { type JudgedContacts, judgeWarnings } from "./judge-warnings.ts";

// What is judged over the contacts of a campaign that exists: their names and data are in the log.

/**
 * Over all contacts of the campaign, whose texts are in the log. For another owner's
 * campaign it returns nothing.
 */
export async function warningsOf(
  deps: CampaignCommandDeps,
  { owner }: Caller,
  campaignId: CampaignId,
): Promise<readonly CampaignWarning[]> {
  const campaign = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    (state) => snapshot(state, owner, deps.clock.nowMillis()),
    { fresh: true },
  );
  if (campaign === null) return [];
  const check = createPlaceholderCheck(campaign.texts);
  for (const revision of check.readsContacts ? campaign.chunks : []) {
    for (const contact of (await deps.importedChunks(campaignId, revision)).values()) check.look(contact);
  }
  const { groups, toCall } = campaign;
  const placeholders = check.found();
  return judgeWarnings(deps, owner, campaign, { groups, placeholders, badCharacters: 0, ...toCall });
}

/** null: the owner has no such campaign (yet). */
function snapshot({ pins, settings, defaulted, contacts }: CampaignState, owner: OwnerId, now: number) {
  if (pins?.owner !== owner || settings === null) return null;
  const [groups, chunks] = [contactsByGroup(contacts), chunkRevisions(contacts)];
  return { texts: pins, settings, defaulted, groups, chunks, toCall: peopleToCall(contacts, now) };
}

/** Contacts that may still be called, by the chunk that has their texts. */
export type ContactsToCall = ReadonlyMap<number, ReadonlySet<ContactId>>;

const TO_CALL: ReadonlySet<unknown> = new Set(["pending", "waiting_retry", "dialing"]);

function peopleToCall(
  contacts: ContactTable,
  now: number,
): Pick<JudgedContacts, "numbers" | "withoutConsent"> {
  const numbers: PhoneNumber[] = [];
  let withoutConsent = 0;
  for (let row = 0; row < contactCount(contacts); row += 1) {
    const number = numberOf(contacts, row);
    if (number === undefined || !TO_CALL.has(statusOf(contacts, row))) continue;
    numbers.push(number);
    if (!hasConsent(contacts, row, now)) withoutConsent += 1;
  }
  return { numbers, withoutConsent };
}

export function contactsToCall({ contacts }: CampaignState): ContactsToCall {
  const byChunk = new Map<number, Set<ContactId>>();
  for (let row = 0; row < contactCount(contacts); row += 1) {
    const contactId = idOf(contacts, row);
    if (contactId === undefined || !TO_CALL.has(statusOf(contacts, row))) continue;
    const revision = chunkRevisionOf(contacts, row);
    const ids = byChunk.get(revision) ?? new Set();
    byChunk.set(revision, ids.add(contactId));
  }
  return byChunk;
}

/** For how many of them each text passes its limit when it is filled (docs/api.md §5). */
export async function tooLongFor(
  { importedChunks }: Pick<CampaignCommandDeps, "importedChunks">,
  campaignId: CampaignId,
  toCall: ContactsToCall,
  texts: CampaignTexts,
): Promise<{ readonly greetingMessage: number; readonly specialInstructions: number }> {
  const greetingFits = createTextCheck({ ...texts, specialInstructions: null });
  const instructionsFit = createTextCheck({ ...texts, greetingMessage: "" });
  const tooLong = { greetingMessage: 0, specialInstructions: 0 };
  for (const [revision, ids] of toCall) {
    for (const contact of (await importedChunks(campaignId, revision)).values()) {
      if (!ids.has(contact.contactId)) continue;
      if (!greetingFits(contact)) tooLong.greetingMessage += 1;
      if (!instructionsFit(contact)) tooLong.specialInstructions += 1;
    }
  }
  return tooLong;
}
