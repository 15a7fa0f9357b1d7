import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Directory } from "../ports/directory.ts";
import type { UncappedCampaign as CampaignRecord } from "../ports/queries.ts";

/** Complete records: with the cap under the owner's current plan. */
export async function withEffectiveCap(
  { directory }: { readonly directory: Pick<Directory, "owner"> },
  owner: OwnerId,
  records: readonly CampaignRecord[],
) {
  const plan = (await directory.owner(owner))?.plan.maxConcurrentCalls ?? 0;
  return records.map((record) => ({
    ...record,
    effectiveMaxConcurrentCalls: Math.min(record.maxConcurrentCalls ?? plan, plan),
  }));
}
