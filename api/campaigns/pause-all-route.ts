import { pauseAllCampaigns } from "../../application/campaign/pause-all.ts";
import { noBody } from "../../contract/fields.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { readModelBehind, readYourOwnWrite } from "../positions.ts";
import { pausedCampaigns } from "./answer-schemas.ts";
import { campaignAfterWrite } from "./answers.ts";

const DESCRIPTION =
  "Pauses every campaign that is RUNNING, and every one that is PAUSED for an automatic reason: each becomes PAUSED with " +
  "pauseReason manual, and only resume ends that. Nobody is dialled after the answer; live calls go on. Campaigns that are PENDING stay so, " +
  "also those with a startAt. READ_MODEL_BEHIND: what was known is paused, ask again.";

/** Concurrent reads of records, from the log if the read model is behind. */
const READ_AT_ONCE = 16;

export function registerPauseAll(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/campaigns/pause-all",
    {
      schema: {
        operationId: "pauseAllCampaigns",
        summary: "Pauses everything that calls somebody",
        description: DESCRIPTION,
        tags: ["campaigns"],
        body: noBody,
        response: { 200: pausedCampaigns },
      },
      config: { scope: "campaigns:write", errors: ["READ_MODEL_BEHIND"] },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { campaignIds, everything } = await pauseAllCampaigns(deps, caller);
      if (!everything) throw readModelBehind();
      const caughtUp = await readYourOwnWrite(deps, reply, await deps.eventStore.head());
      const records: Awaited<ReturnType<typeof campaignAfterWrite>>[] = [];
      for (let from = 0; from < campaignIds.length; from += READ_AT_ONCE) {
        const some = campaignIds.slice(from, from + READ_AT_ONCE);
        records.push(
          ...(await Promise.all(some.map((id) => campaignAfterWrite(deps, caller.owner, id, caughtUp)))),
        );
      }
      return {
        success: true as const,
        data: records.map(({ campaign }) => campaign),
        pagination: { limit: records.length, nextCursor: null },
      };
    },
  );
}
