import type { UncappedCampaign as CampaignRecord } from "../../../application/ports/queries.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { createCampaignMoments } from "../../../projections/history/campaign-moments.ts";
import { createMemoryEventStore } from "../../../simulation/memory/event-store.ts";
import { CALLER, engineProcess, sharedStores, until } from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

/** Of a campaign that was just created, as queries answer it. */
export async function campaignRecord(): Promise<CampaignRecord> {
  const stores = sharedStores();
  await until(
    stores,
    engineProcess(stores, { works: false }).useCases.createCampaign(CALLER, campaignRequest(1)),
  );
  const eventStore = createMemoryEventStore(stores.clock, stores.database);
  const moments = createCampaignMoments({ eventStore, codec: createEventCodec(stores.keys) });
  const moment = await moments.rightAfter("cmp_1", 1);
  if (moment === null) throw new Error("there is no campaign");
  return moment.campaign;
}
