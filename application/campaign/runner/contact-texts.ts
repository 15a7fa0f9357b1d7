import type { ImportedContact } from "../../../domain/campaign/events.ts";
import type { CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";
import { createRecentMap } from "../../recent-map.ts";

/**
 * Number of cached chunks (at most 256 KiB each); contacts are dialled in the order of import,
 * so a few are enough.
 */
const KEPT_CHUNKS = 32;

/**
 * Names and custom data stay in the log and are read at the dial (docs/architecture.md §2). null: the chunk
 * has no such contact.
 */
export type ContactTexts = (
  campaignId: CampaignId,
  chunkRevision: number,
  contactId: ContactId,
) => Promise<ImportedContact | null>;

export function createContactTexts(chunks: ImportedChunks): ContactTexts {
  return async (campaignId, chunkRevision, contactId) =>
    (await chunks(campaignId, chunkRevision)).get(contactId) ?? null;
}

/** The contacts of one chunk; empty when that revision is not a chunk. */
export type ImportedChunks = (
  campaignId: CampaignId,
  chunkRevision: number,
) => Promise<ReadonlyMap<ContactId, ImportedContact>>;

export function createImportedChunks(deps: {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
}): ImportedChunks {
  const chunks = createRecentMap<string, ReturnType<ImportedChunks>>(KEPT_CHUNKS);
  return (campaignId, chunkRevision) => {
    const key = `${campaignId}@${chunkRevision}`;
    const known = chunks.get(key);
    if (known !== undefined) return known;
    const chunk = readChunk(deps, campaignId, chunkRevision);
    chunks.set(key, chunk);
    chunk.catch(() => chunks.delete(key));
    return chunk;
  };
}

async function readChunk(
  deps: { readonly eventStore: EventStore; readonly codec: EventCodec },
  campaignId: CampaignId,
  revision: number,
): ReturnType<ImportedChunks> {
  const page = await deps.eventStore.read(campaignStream(campaignId), { from: revision, max: 1 });
  const [decoded] = await deps.codec.decode(page);
  if (decoded?.kind !== "event" || decoded.recorded.event.type !== "ContactsImported") return new Map();
  return new Map(decoded.recorded.event.data.contacts.map((contact) => [contact.contactId, contact]));
}
