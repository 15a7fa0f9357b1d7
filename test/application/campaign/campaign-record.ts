import type { UncappedCampaign as CampaignRecord } from "../../../application/ports/queries.ts";
import { createCampaignMoments } from "../../../projections/history/campaign-moments.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { CALLER, engineProcess, sharedStores, until } from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

/** Of a campaign that was just created, as queries answer it. */
export async function campaignRecord(): Promise<CampaignRecord> {
  const stores = sharedStores();
  await until(
    stores,
    engineProcess(stores, { works: false }).useCases.createCampaign(CALLER, campaignRequest(1)),
  );
  const moments = createCampaignMoments(memoryLog(stores));
  const moment = await moments.rightAfter("cmp_1", 1);
  if (moment === null) throw new Error("there is no campaign");
  return moment.campaign;
}
