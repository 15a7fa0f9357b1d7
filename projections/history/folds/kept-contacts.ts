import { findRow } from "../../../domain/campaign/contacts/rows-by-id.ts";
import type { ContactId } from "../../../domain/shared/ids.ts";
import {
  type ContactProgress,
  contactAfterCancel,
  isContactEvent,
  projectContact,
  UNCALLED,
} from "../../contacts/contact-row.ts";
import { contactAt, WHOLE } from "./event-columns.ts";
import { type Chunk, eventAt, type KeptCampaign, rowsBy } from "./kept-campaign.ts";

/** A contact with its place in the order of import. */
export type PlacedContact = { readonly place: number; readonly number: number; readonly chunk: Chunk };

/** Contacts of the imports that were sealed by `at`, in the order of their seals. */
export function* placedContacts(kept: KeptCampaign, at: number): Generator<PlacedContact> {
  let place = 0;
  for (const chunk of sealedChunks(kept, at))
    for (let offset = 0; offset < chunk.count; offset += 1) {
      yield { place, number: chunk.first + offset, chunk };
      place += 1;
    }
}

function sealedChunks(kept: KeptCampaign, at: number): readonly Chunk[] {
  return [...kept.whole].flatMap(([row, { event }]) => {
    const seals = event.type === "CampaignCreated" || event.type === "ContactsAdded";
    return seals && (kept.columns.at[row] ?? 0) <= at ? (kept.chunks.get(event.data.importId) ?? []) : [];
  });
}

/** Numbers of contacts that were held at any time. */
export function heldNumbers(kept: KeptCampaign): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { event } of kept.whole.values())
    if (event.type === "ContactHeld") numbers.add(numberOf(kept, event.data.contactId));
  return numbers;
}

/** The state at `at` of the contacts with these numbers. */
export function progressAt(
  kept: KeptCampaign,
  at: number,
  numbers: Iterable<number>,
): ReadonlyMap<number, ContactProgress> {
  const wanted = new Map<number, ContactProgress>();
  for (const number of numbers) wanted.set(number, { ...UNCALLED, revision: 0 });
  const { columns } = kept;
  for (const row of rowsBy(kept, 0, at)) {
    const isWhole = columns.kind[row] === WHOLE;
    const contact = isWhole ? -1 : contactAt(columns, row);
    if (!isWhole && !wanted.has(contact)) continue;
    const recorded = eventAt(kept, row);
    const { event, revision } = recorded;
    if (isContactEvent(event)) {
      const number = isWhole ? numberOf(kept, event.data.contactId) : contact;
      const after = wanted.has(number) ? projectContact(wanted.get(number), recorded) : undefined;
      if (after !== undefined) wanted.set(number, after);
    } else if (event.type === "CampaignCancelled")
      for (const [number, before] of wanted) wanted.set(number, contactAfterCancel(before, revision));
  }
  return wanted;
}

function numberOf(kept: KeptCampaign, contactId: ContactId): number {
  return findRow(kept.numbers, kept.contactIds, contactId) ?? -1;
}
