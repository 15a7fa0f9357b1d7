import type { CampaignCommand } from "../../domain/campaign/commands.ts";
import type { ImportedContact } from "../../domain/campaign/events.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { Handled } from "../log/command-queue.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Position } from "../ports/event-store.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";

/** Bytes of contacts in one chunk (docs/architecture.md §2). */
const CHUNK_BYTES = 250 * 1024;
/** Chunks that are made before the oldest of them is stored: one is being written, two more go together. */
const UNDER_WAY = 3;

export type ContactImport = {
  readonly campaignId: CampaignId;
  readonly importId: ImportId;
  readonly contacts: Iterable<ImportedContact>;
  /** CreateCampaign or AddContacts: what makes the chunks count. */
  readonly seal: CampaignCommand;
  /** Done when every chunk is stored, before the seal. */
  readonly beforeSeal?: () => Promise<void>;
};

/**
 * Appends the chunks and seals them. Its row comes first, so that a crash in between leaves something to find (import-cleanup); the same import
 * again goes on where it stopped: chunk borders depend on the contacts alone, and a chunk that stands already changes nothing. While one chunk is
 * being written the next ones are made, and those that wait share an append; none counts without those before it (the domain's own rule).
 */
export async function importContacts(
  deps: UseCaseDeps,
  { campaignId, importId, contacts, seal, beforeSeal }: ContactImport,
  origin: EventOrigin,
): Promise<Position> {
  const { clock, imports, aggregates } = deps;
  const stream = campaignStream(campaignId);
  await imports.begin({ importId, campaignId, at: clock.now() });
  const underWay: Promise<void>[] = [];
  let firstIndex = 0;
  const append = async (chunk: readonly ImportedContact[]): Promise<void> => {
    const now = clock.now();
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
      // The chunks that waited are on their way before the next one, or the seal, is asked for.
      const appending = append(chunk).then(() => undefined);
      appending.catch(() => undefined); // told below, by the first one that is waited for
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
    // What was still on its way ends before anybody acts on the failure.
    await Promise.allSettled(underWay);
    throw error;
  }
}

function* chunksOf(contacts: Iterable<ImportedContact>): Generator<readonly ImportedContact[]> {
  let chunk: ImportedContact[] = [];
  let bytes = 0;
  for (const contact of contacts) {
    const size = bytesOf(JSON.stringify(contact)) + 1;
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

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** In UTF-8. */
function bytesOf(text: string): number {
  // Three bytes for each of JavaScript's characters are enough.
  return 3 * text.length <= scratch.length
    ? encoder.encodeInto(text, scratch).written
    : encoder.encode(text).byteLength;
}
