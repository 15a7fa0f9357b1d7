import type { CampaignCommand } from "../../domain/campaign/commands.ts";
import type { ImportedContact } from "../../domain/campaign/events.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import type { EventOrigin } from "../append-events.ts";
import type { Handled } from "../handle-command.ts";
import type { Position } from "../ports/event-store.ts";
import { campaignStream } from "../stream-names.ts";
import type { UseCaseDeps } from "./deps.ts";

/** Bytes of contacts in one chunk (architecture.md §2). */
const CHUNK_BYTES = 250 * 1024;

export type ContactImport = {
  readonly campaignId: CampaignId;
  readonly importId: ImportId;
  readonly contacts: Iterable<ImportedContact>;
  /** CreateCampaign or AddContacts: what makes the chunks count. */
  readonly seal: CampaignCommand;
};

/**
 * Appends the chunks and seals them. Its row comes first, so that a crash in between leaves something to find (import-cleanup); the same import
 * again goes on where it stopped: chunk borders depend on the contacts alone, and a chunk that stands already changes nothing.
 */
export async function importContacts(
  deps: UseCaseDeps,
  { campaignId, importId, contacts, seal }: ContactImport,
  origin: EventOrigin,
): Promise<Position> {
  const { clock, imports, crashPoints, aggregates } = deps;
  const stream = campaignStream(campaignId);
  await crashPoints.reached("before import row");
  await imports.begin({ importId, campaignId, at: clock.now() });
  await crashPoints.reached("after import row");
  let firstIndex = 0;
  for (const chunk of chunksOf(contacts)) {
    const command: CampaignCommand = {
      type: "ImportContacts",
      campaignId,
      importId,
      firstIndex,
      contacts: chunk,
      now: clock.now(),
    };
    await aggregates.campaigns.handle(stream, [command], origin);
    firstIndex += chunk.length;
    await crashPoints.reached("after import chunk");
  }
  const sealed: Handled<unknown> = await aggregates.campaigns.handle(stream, [seal], origin);
  await imports.sealed(importId);
  return sealed.position;
}

function* chunksOf(contacts: Iterable<ImportedContact>): Generator<readonly ImportedContact[]> {
  const encoder = new TextEncoder();
  let chunk: ImportedContact[] = [];
  let bytes = 0;
  for (const contact of contacts) {
    const size = encoder.encode(JSON.stringify(contact)).byteLength + 1;
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
