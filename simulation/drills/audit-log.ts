import { verifyCampaign } from "../../application/audit/verify-campaign.ts";
import { openForReading } from "../../composition/open-for-reading.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { campaignAndCalls } from "../../projections/history/campaign-and-calls.ts";
import { silentLogger } from "../memory/silent.ts";

/**
 * The findings of `npm run replay -- <campaignId> --verify` in the log of the service with this environment.
 */
export async function auditLog(
  env: Readonly<Record<string, string>>,
  campaignId: string,
): Promise<readonly string[]> {
  const config = readConfig(env);
  const log = await openForReading(config, silentLogger, "log");
  try {
    const events = await campaignAndCalls(log, `cmp_${campaignId.slice("cmp_".length)}`);
    if (events.length === 0) return [`the log has no campaign ${campaignId}`];
    return verifyCampaign(events, { now: null }).map(({ rule, problem }) => `${rule}: ${problem}`);
  } finally {
    await log.close();
  }
}
