import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { ImportId } from "../../../domain/shared/ids.ts";
import { type Chunk, chunkAt, type KeptCampaign } from "./kept-campaign.ts";

export type Places = {
  /** Pass each whole event in log order. */
  readonly hear: (event: CampaignEvent, revision: number) => void;
  /** -1: none. */
  readonly of: (number: number | undefined) => number;
  readonly count: () => number;
};

/** Contacts get their places at the seal of their import. */
export function contactPlaces(kept: KeptCampaign): Places {
  const placeByNumber = new Int32Array(kept.contactIds.length).fill(-1);
  const unsealed = new Map<ImportId, Chunk[]>();
  let count = 0;
  const seal = (importId: ImportId): void => {
    for (const { first, count: size } of unsealed.get(importId) ?? [])
      for (let number = first; number < first + size; number += 1) {
        placeByNumber[number] = count;
        count += 1;
      }
    unsealed.delete(importId);
  };
  return {
    hear(event, revision) {
      if (event.type === "ContactsImported") {
        const open = unsealed.get(event.data.importId) ?? [];
        unsealed.set(event.data.importId, open);
        const chunk = chunkAt(kept, event.data.importId, revision);
        if (chunk !== undefined) open.push(chunk);
      } else if (event.type === "CampaignCreated" || event.type === "ContactsAdded")
        seal(event.data.importId);
      else if (event.type === "ImportAbandoned") unsealed.delete(event.data.importId);
    },
    of: (number) => (number === undefined ? -1 : (placeByNumber[number] ?? -1)),
    count: () => count,
  };
}
