import type { CampaignCommand } from "../../domain/campaign/decider.ts";
import type { ImportedContact } from "../../domain/campaign/events.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import { utf8Length } from "../../domain/shared/utf8.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { Handled } from "../log/command-queue.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Position } from "../ports/event-store.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";

/** The most bytes of contacts in one chunk (docs/architecture.md §2). */
const CHUNK_BYTES = 250 * 1024;
/** The most chunks in flight: while one is written, two more are appended together. */
const UNDER_WAY = 3;

export type ContactImport = {
  readonly campaignId: CampaignId;
  readonly importId: ImportId;
  readonly contacts: Iterable<ImportedContact>;
  /** CreateCampaign or AddContacts, which makes the chunks count. */
  readonly seal: CampaignCommand;
  /** Runs when every chunk is stored, before the seal. */
  readonly beforeSeal?: () => Promise<void>;
};

/**
 * Appends the chunks and seals them. The row in work.imports comes first, so that import-cleanup finds an
 * import that a crash interrupted, and with it the campaign's key. The same import again goes on where it
 * stopped: chunk borders depend only on the contacts, and a stored chunk changes nothing. While one chunk is
 * written the next ones are made, and waiting chunks share an append. No chunk counts without those before it
 * (a rule of the domain).
 */
export async function importContacts(
  deps: UseCaseDeps,
  { campaignId, importId, contacts, seal, beforeSeal }: ContactImport,
  origin: EventOrigin,
): Promise<Position> {
  const { clock, imports, aggregates } = deps;
  const stream = campaignStream(campaignId);
  await imports.begin({ importId, campaignId, owner: origin.owner, at: clock.now() });
  const underWay: Promise<void>[] = [];
  let firstIndex = 0;
  // An import is one moment: its chunks are no later than the seal that was made before them.
  const now = seal.type === "CreateCampaign" ? seal.campaign.at : seal.now;
  const append = async (chunk: readonly ImportedContact[]): Promise<void> => {
    const command = {
      type: "ImportContacts",
      campaignId,
      importId,
      firstIndex,
      contacts: chunk,
      now,
    } as const;
    firstIndex += chunk.length;
    await aggregates.campaigns.handle(stream, [command], origin);
  };
  try {
    for (const chunk of chunksOf(contacts)) {
      // Waiting chunks are appended before the next one or the seal is made.
      const appending = append(chunk).then(() => undefined);
      appending.catch(() => undefined); // reported below, by the first one that is awaited
      underWay.push(appending);
      if (underWay.length >= UNDER_WAY) await underWay.shift();
    }
    if (beforeSeal !== undefined) {
      await Promise.all(underWay);
      await beforeSeal();
    }
    const sealed: Promise<Handled<unknown>> = aggregates.campaigns.handle(stream, [seal], origin);
    await Promise.all([...underWay, sealed]);
    await imports.sealed(importId);
    return (await sealed).position;
  } catch (error) {
    // Let the chunks in flight finish before anybody acts on the failure.
    await Promise.allSettled(underWay);
    throw error;
  }
}

function* chunksOf(contacts: Iterable<ImportedContact>): Generator<readonly ImportedContact[]> {
  let chunk: ImportedContact[] = [];
  let bytes = 0;
  for (const contact of contacts) {
    const size = utf8Length(JSON.stringify(contact)) + 1;
    if (chunk.length > 0 && bytes + size > CHUNK_BYTES) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(contact);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
