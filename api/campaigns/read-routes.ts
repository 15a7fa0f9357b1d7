import { z } from "zod";
import { withEffectiveCap } from "../../application/campaign/effective-cap.ts";
import type { CampaignWithStatistics } from "../../application/ports/queries/campaign-records.ts";
import type { Heard } from "../../application/ports/queries.ts";
import { answer, instantInput, list, pageFields } from "../../contract/fields.ts";
import { historyEvent } from "../../contract/history.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { withoutStream } from "../history/public-event.ts";
import { found, parseId, pathId } from "../ids.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { telling } from "../positions.ts";
import { campaignWithStatistics } from "./answer-schemas.ts";
import { campaignAnswer } from "./answers.ts";
import { campaign, statistics } from "./record-schemas.ts";
import { CAMPAIGN_STATUSES } from "./schemas.ts";

const TAGS = ["campaigns"];
const campaigns = { list: "campaigns", parse: (text: string) => parseId("cmp", text) };
const campaignEvents = { list: "campaign-events", parse: parseWhole };
const params = pathParams("id");
const scope = "campaigns:read";
const errors = ["CAMPAIGN_NOT_FOUND"] as const;
/** Time travel. */
const querystring = z.object({ at: instantInput.optional() });

export function registerCampaignReading(api: Api, deps: ApiDeps): void {
  registerList(api, deps);
  registerRecord(api, deps);
  registerEvents(api, deps);
}

function registerList(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/campaigns",
    {
      schema: {
        operationId: "listCampaigns",
        summary: "Campaigns, newest first",
        tags: TAGS,
        querystring: z.object({ status: z.enum(CAMPAIGN_STATUSES).optional(), ...pageFields }),
        response: { 200: list(campaign) },
      },
      config: { scope },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const page = pageRequest(campaigns, request.query);
      const { status } = request.query;
      const filter = status === undefined ? {} : { statuses: [status] };
      const { rows, next } = await deps.queries.campaigns(owner, filter, page, telling(reply));
      return listAnswer(campaigns, page, { rows: await withEffectiveCap(deps, owner, rows), next });
    },
  );
}

function registerRecord(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id",
    {
      schema: {
        operationId: "getCampaign",
        summary: "A campaign with its statistics, now or as it stood",
        tags: TAGS,
        params,
        querystring,
        response: { 200: answer(campaignWithStatistics) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const whole = await wholeCampaign(
        deps,
        owner,
        pathId("cmp", request.params.id),
        request.query.at,
        telling(reply),
      );
      return data(await campaignAnswer(deps, owner, whole));
    },
  );
  api.get(
    "/api/v1/campaigns/:id/statistics",
    {
      schema: {
        operationId: "getCampaignStatistics",
        summary: "Its statistics, now or as they stood",
        tags: TAGS,
        params,
        querystring,
        response: { 200: answer(statistics) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const whole = await wholeCampaign(deps, callerOf(request).owner, id, request.query.at, telling(reply));
      return data(whole.statistics);
    },
  );
}

async function wholeCampaign(
  { queries }: ApiDeps,
  owner: OwnerId,
  id: CampaignId,
  at: Instant | undefined,
  heard: Heard,
): Promise<CampaignWithStatistics> {
  return found(
    "cmp",
    at === undefined
      ? await queries.campaign(owner, id, heard)
      : await queries.campaignAt(owner, id, at, heard),
  );
}

function registerEvents(api: Api, { queries }: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/events",
    {
      schema: {
        operationId: "listCampaignEvents",
        summary: "The audit log of a campaign, oldest first",
        tags: TAGS,
        params,
        querystring: z.object(pageFields),
        response: { 200: list(historyEvent) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const page = pageRequest(campaignEvents, request.query);
      const events = found(
        "cmp",
        await queries.campaignEvents(callerOf(request).owner, id, page, telling(reply)),
      );
      return listAnswer(campaignEvents, page, withoutStream(events));
    },
  );
}
